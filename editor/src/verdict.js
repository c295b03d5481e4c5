// A verdict of the registry as marks in the text and as a sentence.
import { membersOf, placeOf, unquoted } from "./tree.js";

const MOST_ACTIONS = 3;

/** Errors and lints of a verdict, each at its place. */
export function diagnostics(state, { errors = [], lints = [] }) {
  return [
    ...errors.map((fault) => diagnostic(state, fault, "error")),
    ...lints.map((fault) => diagnostic(state, fault, "warning")),
  ].sort((one, other) => one.from - other.from);
}

/** What the status line says: of the verdict first, then of the first mark. */
export function sentence(state, verdict, marks) {
  const errors = marks.filter(({ severity }) => severity === "error");
  const counts = [counted(errors.length, "error"), counted(marks.length - errors.length, "warning")];
  const found = counts.filter(Boolean).join(", ");
  const said = found ? `${found}; first, ${located(state, errors[0] ?? marks[0])} F8 goes through them.` : "";
  if (errors.length || !verdict) {
    return said;
  }
  const next = verdict.version ? `would be ${verdict.version} (${verdict.bump})` : "nothing would change";
  return `Valid: ${next}. ${said}`.trim();
}

/** A mark with its line. */
export function located(state, { from, message }) {
  return `line ${state.doc.lineAt(from).number}: ${message}.`;
}

function diagnostic(state, fault, severity) {
  const node = marked(state, placeOf(state, fault.pointer), fault.found);
  const { from, to } = node ?? { from: 0, to: 0 };
  const expected = fault.expected ? `; expected: ${fault.expected}` : "";
  return {
    from,
    to,
    severity,
    message: `${fault.message.replace(/\.$/, "")}${expected}`,
    actions: node && unquoted(state, node) === fault.found ? fault.suggestions.slice(0, MOST_ACTIONS).map(action) : [],
  };
}

/** The name where it is what is wrong, else the value; of an object or a list what names it. */
function marked(state, { key, value }, found) {
  if (key && (!value || unquoted(state, key) === found)) {
    return key;
  }
  if (value?.name === "Object") {
    const named = membersOf(state, value).filter(({ name }) => name === "tag" || name === "kind");
    const naming = named.find((each) => each.value && unquoted(state, each.value) !== null);
    return naming?.value ?? key ?? first(value);
  }
  return value?.name === "Array" ? (key ?? first(value)) : value;
}

function first({ from }) {
  return { from, to: from + 1 };
}

function action(name) {
  const apply = (view, from, to) => view.dispatch({ changes: { from, to, insert: JSON.stringify(name) } });
  return { name: `Use ${name}`, apply };
}

function counted(number, word) {
  return number ? `${number} ${word}${number === 1 ? "" : "s"}` : "";
}
