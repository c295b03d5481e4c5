// Explains syntax errors in the same terms as registry/domain/document.py.
import { treeOf } from "./tree.js";

const COMMENT = /^(\/\/|\/\*|#)/;
const TOKEN = /^(?:[\w.+-]+|.)/u;
const AFTER_VALUE = /["\w}\]]$/;
const VALUE = /^["\w{[-]/;

/** The first syntax error, or null. */
export function syntaxFault(state) {
  const text = state.doc.toString();
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const node = firstError(state);
    return node
      ? { ...token(text, node.from), ...explanation(text, node) }
      : { from: 0, to: text.length, message: error.message };
  }
}

function firstError(state) {
  let error = null;
  treeOf(state).iterate({
    enter(node) {
      if (node.type.isError) {
        error ??= { from: node.from, within: node.node.parent.name };
      }
      return !error;
    },
  });
  return error;
}

/** A common mistake, or what is missing. */
function explanation(text, { from, within }) {
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
    return { message: "names and strings need double quotes" };
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
