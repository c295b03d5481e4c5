// The token at the cursor: a name or a value, its extent, and the path of its container.
import { membersOf, read, rootOf, stepsTo, treeOf, unquoted, valuesIn } from "./tree.js";

const OPEN = /^(?:[^"]|"(?:[^"\\]|\\.)*")*(")(?:[^"\\]|\\.)*$/; // an unclosed string
const CLOSING = /^(?:[^"\\]|\\.)*"/;
const WORD = /[\w.:/@+-]*$/;

/**
 * `steps` is the path of the value at the cursor, or of the object whose member name is there. `from`
 * and `to` include the token's quotes; `start` is the beginning of its text.
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

/** The object or array around the cursor, or the member whose value is there; null at the top. */
function containerAt(state, before) {
  let node = treeOf(state).resolveInner(before.length, -1);
  const isValue = before.endsWith(":");
  const isBehind = !/[:,[{]$/.test(before); // after a complete value: its container counts
  while (node && !(isValue ? node.name === "Property" : isHolder(node) && !(isBehind && node.to === before.length))) {
    node = node.parent;
  }
  return node;
}

function isHolder({ name }) {
  return name === "Object" || name === "Array";
}
