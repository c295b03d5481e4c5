// The JSON language: highlighting, folding and indentation.
import { continuedIndent, foldInside, foldNodeProp, indentNodeProp, LRLanguage } from "@codemirror/language";
import { parser } from "@lezer/json";

const BRACKETS = "Object Array";

export const json = LRLanguage.define({
  name: "json",
  parser: parser.configure({
    props: [
      indentNodeProp.add({ [BRACKETS]: continuedIndent({ except: /^\s*[}\]]/ }) }),
      foldNodeProp.add({ [BRACKETS]: foldInside }),
    ],
  }),
  languageData: { closeBrackets: { brackets: ["[", "{", '"'] }, indentOnInput: /^\s*[}\]]$/ },
});
