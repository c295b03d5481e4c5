// Completions: names and values from the schema of bodies, references from the search for tags.
import { autocompletion, pickedCompletion, startCompletion } from "@codemirror/autocomplete";
import { cursorAt } from "./cursor.js";
import { at, branches, brief, isReference } from "./schema.js";

const PAUSE = 250; // milliseconds before tags are searched for
const MOST_TAGS = 20;
const WORD = /^[\w.+-]*$/;
const FIRST = new Set(["kind", "tag"]); // what says what a body is

/** Completions from the schema and the tags at these addresses. `resolved` gives the last target. */
export function completing({ schema, tags, resolved }) {
  const known = once(() => fetched(schema));
  return autocompletion({
    override: [
      (context) => fromSchema(context, known, resolved()),
      (context) => fromTags(context, known, tags),
    ],
    icons: false,
  });
}

async function fromSchema(context, known, target) {
  const cursor = cursorAt(context.state, context.pos);
  const root = await known();
  if (!root || (!context.explicit && cursor.from === context.pos)) {
    return null;
  }
  const schemas = at(root, cursor.steps, cursor.whole);
  const kind = cursor.steps.reduce((value, step) => value?.[step], target)?.kind;
  const options = cursor.role === "name" ? names(root, schemas, cursor, kind) : values(root, schemas);
  return { from: cursor.start, options, validFor: WORD };
}

async function fromTags(context, known, url) {
  const cursor = cursorAt(context.state, context.pos);
  const asked = context.state.sliceDoc(cursor.start, context.pos);
  if (!url || cursor.role !== "value" || !asked) {
    return null;
  }
  context.addEventListener("abort", () => {}, { onDocChange: true }); // typing on ends the wait
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  const root = !context.aborted && (await known());
  if (!root || !at(root, cursor.steps, cursor.whole).some(isReference)) {
    return null;
  }
  const found = await fetched(`${url}?${new URLSearchParams({ q: asked })}`);
  const options = (found?.results ?? []).slice(0, MOST_TAGS).map(({ tag, kind, arch }) => ({
    label: tag,
    detail: [kind, arch].filter(Boolean).join(", "),
    apply: applied(JSON.stringify(tag)),
  }));
  return { from: cursor.start, options, filter: false };
}

/** Names of members; first those of the kind that a parent has, where it is known. */
function names(root, schemas, { taken }, kind) {
  const own = root.$defs[`kind.${kind}`]?.properties ?? {};
  const found = new Map();
  for (const [name, schema] of schemas.flatMap(({ properties = {} }) => Object.entries(properties))) {
    if (!taken.has(name) && !found.has(name)) {
      found.set(name, option(root, name, own[name] ?? schema, name in own));
    }
  }
  return [...found.values()];
}

function option(root, name, schema, isOwn) {
  const known = branches(root, schema).find(({ description }) => description) ?? schema;
  return {
    label: name,
    detail: brief(root, known),
    info: known.description,
    boost: FIRST.has(name) ? 2 : isOwn - (known.deprecated ? 1 : 0),
    apply: applied(JSON.stringify(name), opening(root, schema)),
  };
}

/** What a value begins and ends with, where that is certain enough to write it. */
function opening(root, schema) {
  const [first] = branches(root, schema).filter((each) => each.type ?? each.enum ?? "const" in each);
  const pairs = { array: "[]", object: "{}", string: '""' };
  return (first.type ? pairs[first.type] : '""') ?? "";
}

function values(root, schemas) {
  const found = new Map();
  const offer = (value, more = {}) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (!found.has(text)) {
      found.set(text, { label: text, apply: applied(JSON.stringify(value)), ...more });
    }
  };
  for (const schema of schemas) {
    for (const value of schema.enum ?? []) {
      offer(value, { info: root.$defs[`kind.${value}`]?.description });
    }
    if (schema.type === "boolean") {
      [true, false].forEach((value) => offer(value));
    }
    if ("const" in schema) {
      offer(schema.const);
    }
    if ("default" in schema) {
      offer(schema.default, { detail: "default" });
    }
    if (schema.type === "null") {
      offer(null, { detail: schema.title });
    }
  }
  return [...found.values()];
}

/** Write a name or a value, with the colon and the commas that make it JSON. */
function applied(text, value) {
  return (view, completion, _, position) => {
    const { from, to, before, role } = cursorAt(view.state, position);
    const behind = view.state.sliceDoc(to).trimStart();
    const isNew = role === "name" && !behind.startsWith(":");
    const insert = text + (isNew ? `: ${value}` : "");
    const changes = [{ from, to, insert: insert + (isNew && /^["[{\w-]/.test(behind) ? "," : "") }];
    if (role === "name" && !/[{,]$/.test(view.state.sliceDoc(0, before))) {
      changes.unshift({ from: before, insert: "," });
    }
    const inner = insert.length - (isNew && value ? 1 : 0); // between the quotes or brackets
    const anchor = from + inner + (changes.length > 1 ? 1 : 0);
    view.dispatch({
      changes,
      selection: { anchor },
      annotations: pickedCompletion.of(completion),
      scrollIntoView: true,
      userEvent: "input.complete",
    });
    if (isNew) {
      startCompletion(view);
    }
  };
}

/** The JSON at an address; null where there is none. */
async function fetched(url) {
  try {
    const response = await fetch(url);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Ask once; again only after nothing came. */
function once(ask) {
  let answer;
  return async () => {
    answer ??= ask();
    const found = await answer;
    answer = found ? answer : undefined;
    return found;
  };
}
