// What keeps a text from being JSON, in the registry's words: as registry/domain/document.py says it.
import { treeOf } from "./tree.js";

const COMMENT = /^(\/\/|\/\*|#)/;
const TOKEN = /^(?:[\w.+-]+|.)/u;
const AFTER_VALUE = /["\w}\]]$/;
const VALUE = /^["\w{[-]/;

/** The first fault of a text, or null. */
export function syntaxFault(state) {
  const text = state.doc.toString();
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const wrong = firstError(state);
    return wrong
      ? { ...token(text, wrong.from), ...misread(text, wrong) }
      : { from: 0, to: text.length, message: error.message };
  }
}

function firstError(state) {
  let found = null;
  treeOf(state).iterate({
    enter(node) {
      if (node.type.isError) {
        found ??= { from: node.from, within: node.node.parent.name };
      }
      return !found;
    },
  });
  return found;
}

/** What people are used to write, or what is missing. */
function misread(text, { from, within }) {
  const before = text.slice(0, from).trimEnd();
  const here = text.slice(from).trimStart();
  const comment = COMMENT.exec(here);
  if (comment) {
    return { message: `a comment (${comment[1]}), which JSON does not have` };
  }
  if (before.endsWith(",") && /^[}\]]/.test(here)) {
    const at = before.length - 1;
    return { from: at, to: at + 1, message: `a comma before ${here[0]}, where JSON has none` };
  }
  if (here.startsWith("'")) {
    return { message: "names and texts stand in double quotes" };
  }
  if (within === "Property" && before.endsWith('"')) {
    return { message: "a colon and a value are missing before this" };
  }
  if (before.endsWith(":")) {
    return { message: "a value is missing here" };
  }
  if (AFTER_VALUE.test(before) && VALUE.test(here)) {
    return { message: "a comma is missing before this" };
  }
  return { message: here ? `${TOKEN.exec(here)[0]} is not expected here` : "the text ends too early" };
}

function token(text, position) {
  const blanks = text.length - position - text.slice(position).trimStart().length;
  const from = position + blanks;
  return { from, to: from + (TOKEN.exec(text.slice(from))?.[0].length ?? 0) };
}
