// Completions: names and values from the schema of bodies, references from the search.
import { autocompletion, pickedCompletion, startCompletion } from "@codemirror/autocomplete";
import { cursorAt } from "./cursor.js";
import { at, branches, brief, isReference } from "./schema.js";

const PAUSE = 250; // milliseconds before a search
const MAX_TAGS = 20;
const WORD = /^[\w.+-]*$/;
const FIRST = new Set(["kind", "tag"]); // offered first

/** Complete from the schema and the tags at these URLs. `resolved` returns the last valid target. */
export function completing({ schema, tags, resolved }) {
  const loadSchema = once(() => fetchJson(schema));
  return autocompletion({
    override: [
      (context) => fromSchema(context, loadSchema, resolved()),
      (context) => fromTags(context, loadSchema, tags),
    ],
    icons: false,
  });
}

async function fromSchema(context, loadSchema, target) {
  const cursor = cursorAt(context.state, context.pos);
  const root = await loadSchema();
  if (!root || (!context.explicit && cursor.from === context.pos)) {
    return null;
  }
  const schemas = at(root, cursor.steps, cursor.whole);
  const kind = cursor.steps.reduce((value, step) => value?.[step], target)?.kind;
  const options = cursor.role === "name" ? names(root, schemas, cursor, kind) : values(root, schemas);
  return { from: cursor.start, options, validFor: WORD };
}

async function fromTags(context, loadSchema, url) {
  const cursor = cursorAt(context.state, context.pos);
  const query = context.state.sliceDoc(cursor.start, context.pos);
  if (!url || cursor.role !== "value" || !query) {
    return null;
  }
  context.addEventListener("abort", () => {}, { onDocChange: true }); // cancelled by further typing
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  const root = !context.aborted && (await loadSchema());
  if (!root || !at(root, cursor.steps, cursor.whole).some(isReference)) {
    return null;
  }
  const page = await fetchJson(`${url}?${new URLSearchParams({ q: query, typing: "true" })}`);
  const options = (page?.results ?? []).slice(0, MAX_TAGS).map(({ tag, kind, arch }) => ({
    label: tag,
    detail: [kind, arch].filter(Boolean).join(", "),
    apply: insertion(JSON.stringify(tag)),
  }));
  return { from: cursor.start, options, filter: false };
}

/** Names of members; those of the inherited kind first, if it is known. */
function names(root, schemas, { taken }, kind) {
  const own = root.$defs[`kind.${kind}`]?.properties ?? {};
  const options = new Map();
  for (const [name, schema] of schemas.flatMap(({ properties = {} }) => Object.entries(properties))) {
    if (!taken.has(name) && !options.has(name)) {
      options.set(name, option(root, name, own[name] ?? schema, name in own));
    }
  }
  return [...options.values()];
}

function option(root, name, schema, isOwn) {
  const described = branches(root, schema).find(({ description }) => description) ?? schema;
  return {
    label: name,
    detail: brief(root, described),
    info: described.description,
    boost: FIRST.has(name) ? 2 : isOwn - (described.deprecated ? 1 : 0),
    apply: insertion(JSON.stringify(name), opening(root, schema)),
  };
}

/** The quotes or brackets of a value, if its type is certain. */
function opening(root, schema) {
  const [first] = branches(root, schema).filter((branch) => branch.type ?? branch.enum ?? "const" in branch);
  const pairs = { array: "[]", object: "{}", string: '""' };
  return (first.type ? pairs[first.type] : '""') ?? "";
}

function values(root, schemas) {
  const options = new Map();
  const offer = (value, details = {}) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (!options.has(text)) {
      options.set(text, { label: text, apply: insertion(JSON.stringify(value)), ...details });
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
  return [...options.values()];
}

/** Insert a name or a value with the colon and commas it needs. */
function insertion(text, value) {
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

/** The JSON at a URL; null if there is none. */
async function fetchJson(url) {
  try {
    const response = await fetch(url);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Call once; again only if the result was null. */
function once(load) {
  let promise;
  return async () => {
    promise ??= load();
    const result = await promise;
    promise = result ? promise : undefined;
    return result;
  };
}
