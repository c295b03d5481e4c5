// CodeMirror brings its own styles. The page's policy admits no style elements, so they come as a
// constructed sheet, in the layer `base`: what editor.css says in its layer wins.
import { StyleModule } from "style-mod";

const sheet = new CSSStyleSheet();
const mounted = new Set();
document.adoptedStyleSheets.push(sheet);

StyleModule.mount = (_, modules) => {
  for (const module of [modules].flat()) {
    mounted.add(module);
  }
  sheet.replaceSync(`@layer base {${[...mounted].map((each) => each.getRules()).join("\n")}}`);
};
