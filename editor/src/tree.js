// Reads members, values and JSON pointers from the syntax tree of complete or incomplete JSON.
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);
const PATIENCE = 200; // milliseconds; the longest body takes less than 10

export function treeOf(state) {
  return ensureSyntaxTree(state, state.doc.length, PATIENCE) ?? syntaxTree(state);
}

export function textOf(state, node) {
  return state.sliceDoc(node.from, node.to);
}

/** The value of a string or a name; null if it is not one. */
export function unquoted(state, node) {
  try {
    const value = JSON.parse(textOf(state, node));
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/** The values directly inside an array, a member or the whole text. */
export function valuesIn(node) {
  const values = [];
  for (let child = node?.firstChild; child; child = child.nextSibling) {
    if (VALUES.has(child.name)) {
      values.push(child);
    }
  }
  return values;
}

/** The members of an object, with the nodes of name and value, which may be missing. */
export function membersOf(state, object) {
  return object.getChildren("Property").map((member) => {
    const key = member.getChild("PropertyName");
    return { key, name: key && unquoted(state, key), value: valuesIn(member)[0] ?? null };
  });
}

export function rootOf(state) {
  return valuesIn(treeOf(state).topNode)[0] ?? null;
}

/** The value as written so far. */
export function read(state, node) {
  if (node?.name === "Object") {
    const value = Object.create(null);
    for (const member of membersOf(state, node)) {
      value[member.name] = read(state, member.value);
    }
    return value;
  }
  if (node?.name === "Array") {
    return valuesIn(node).map((item) => read(state, item));
  }
  try {
    return JSON.parse(textOf(state, node));
  } catch {
    return undefined;
  }
}

/** The place of a pointer; if part of it is inherited, the nearest place that is written. */
export function placeOf(state, pointer) {
  let place = { key: null, value: rootOf(state) };
  for (const step of pointer.split("/").slice(1)) {
    const next = inside(state, place.value, step.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (!next) {
      break;
    }
    place = next;
  }
  return place;
}

/** The path of a node. */
export function stepsTo(state, node) {
  const steps = [];
  for (let at = node; at?.parent; at = at.parent) {
    if (at.name === "Property") {
      const key = at.getChild("PropertyName");
      steps.unshift(key ? unquoted(state, key) : null);
    } else if (at.parent.name === "Array") {
      steps.unshift(valuesIn(at.parent).filter((item) => item.to <= at.from).length);
    }
  }
  return steps;
}

function inside(state, node, step) {
  if (node?.name === "Array") {
    const value = valuesIn(node)[step];
    return value && { key: null, value };
  }
  return node?.name === "Object" && membersOf(state, node).find(({ name }) => name === step);
}
