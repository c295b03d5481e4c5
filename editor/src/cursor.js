// What is being written where the cursor is: a name or a value, of what, and from where to where.
import { membersOf, read, rootOf, stepsTo, treeOf, unquoted, valuesIn } from "./tree.js";

const OPEN = /^(?:[^"]|"(?:[^"\\]|\\.)*")*(")(?:[^"\\]|\\.)*$/; // a string that has not ended
const CLOSING = /^(?:[^"\\]|\\.)*"/;
const WORD = /[\w.:/@+-]*$/;

/**
 * `steps` lead to the value that is being written, or to the object whose name is. `from` and `to`
 * hold the token with its quotes, `start` is where its text begins.
 */
export function cursorAt(state, position) {
  const { from, to, start } = tokenAt(state, position);
  const before = state.sliceDoc(0, from).trimEnd();
  const container = containerAt(state, before);
  const whole = read(state, rootOf(state));
  const place = { from, to, start, before: before.length, whole, steps: stepsTo(state, container) };
  if (container?.name === "Object") {
    const own = membersOf(state, container).filter(({ key }) => key && key.from !== from);
    return { ...place, role: "name", taken: new Set(own.map(({ name }) => name)) };
  }
  if (container?.name === "Array") {
    place.steps.push(valuesIn(container).filter((item) => item.to <= from).length);
  }
  return { ...place, role: "value" };
}

function tokenAt(state, position) {
  const line = state.doc.lineAt(position);
  const before = line.text.slice(0, position - line.from);
  const after = line.text.slice(position - line.from);
  const open = OPEN.exec(before);
  if (!open) {
    const start = position - WORD.exec(before)[0].length;
    return { from: start, to: position, start };
  }
  const from = line.from + before.lastIndexOf('"');
  const token = treeOf(state).resolveInner(from, 1);
  const isWhole = token.from === from && unquoted(state, token) !== null;
  const to = isWhole ? position + (CLOSING.exec(after)?.[0].length ?? 0) : position;
  return { from, to, start: from + 1 };
}

/** The object or array that is written into, or the member whose value is; null at the top. */
function containerAt(state, before) {
  let node = treeOf(state).resolveInner(before.length, -1);
  const isValue = before.endsWith(":");
  const isBehind = !/[:,[{]$/.test(before); // a value that ended: what holds it is meant
  while (node && !(isValue ? node.name === "Property" : isHolder(node) && !(isBehind && node.to === before.length))) {
    node = node.parent;
  }
  return node;
}

function isHolder({ name }) {
  return name === "Object" || name === "Array";
}
