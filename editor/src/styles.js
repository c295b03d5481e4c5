// The content security policy forbids the style elements of CodeMirror, so its styles become a
// constructed style sheet, in the layer `base`: editor.css takes precedence.
import { StyleModule } from "style-mod";

const sheet = new CSSStyleSheet();
const mounted = new Set();
document.adoptedStyleSheets.push(sheet);

StyleModule.mount = (_, modules) => {
  for (const module of [modules].flat()) {
    mounted.add(module);
  }
  sheet.replaceSync(`@layer base {${[...mounted].map((module) => module.getRules()).join("\n")}}`);
};
