// Shows the result of a check as marks in the text and as a message.
import { membersOf, placeOf, unquoted } from "./tree.js";

const MAX_ACTIONS = 3;

/** Marks for the errors and lints of a result. */
export function diagnostics(state, { errors = [], lints = [] }) {
  return [
    ...errors.map((fault) => diagnostic(state, fault, "error")),
    ...lints.map((fault) => diagnostic(state, fault, "warning")),
  ].sort((one, other) => one.from - other.from);
}

/** The message of the status line: the result, then the first mark. */
export function sentence(state, verdict, marks) {
  const errors = marks.filter(({ severity }) => severity === "error");
  const counts = [counted(errors.length, "error"), counted(marks.length - errors.length, "warning")];
  const total = counts.filter(Boolean).join(", ");
  const message = total ? `${total}; first on ${located(state, errors[0] ?? marks[0])} Press F8 for the next.` : "";
  if (errors.length || !verdict) {
    return message;
  }
  const next = verdict.version ? `next version ${verdict.version} (${verdict.bump})` : "no changes";
  return `Valid: ${next}. ${message}`.trim();
}

/** The message of a mark with its line. */
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
    actions: node && unquoted(state, node) === fault.found ? fault.suggestions.slice(0, MAX_ACTIONS).map(action) : [],
  };
}

/** The node to mark: the name if it is wrong, else the value; for an object, its tag or kind. */
function marked(state, { key, value }, found) {
  if (key && (!value || unquoted(state, key) === found)) {
    return key;
  }
  if (value?.name === "Object") {
    const named = membersOf(state, value).filter(({ name }) => name === "tag" || name === "kind");
    const complete = named.find((member) => member.value && unquoted(state, member.value) !== null);
    return complete?.value ?? key ?? first(value);
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
