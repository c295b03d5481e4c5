// What the schema of bodies says of a place in one. Only what the registry's own schema uses is read.

/** Every schema that holds at a place. `whole` is the body as far as it is written. */
export function at(root, steps, whole) {
  let value = whole;
  let found = branches(root, root, value);
  for (const step of steps) {
    value = value?.[step];
    found = found.flatMap((schema) => inside(schema, step)).flatMap((schema) => branches(root, schema, value));
  }
  return found;
}

/** The schema itself and those it is put together from, as far as a value decides between them. */
export function branches(root, schema, value) {
  if (schema.$ref) {
    const { $ref, ...own } = schema;
    return branches(root, { ...referred(root, $ref), ...own }, value);
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  if (schema.if) {
    parts.push(...chosen(schema, value));
  }
  return [schema, ...parts.flatMap((part) => branches(root, part, value))];
}

/** One line on what is written there: type, unit, default. */
export function brief(root, schema) {
  const [first] = branches(root, schema).filter((each) => each.type ?? each.enum);
  const type = first?.enum ? "one of a list" : first?.type;
  const standard = "default" in schema ? `default ${JSON.stringify(schema.default)}` : "";
  return [type, schema["x-unit"], standard].filter(Boolean).join(", ");
}

/** Whether a reference to a tag can stand there. */
export function isReference(schema) {
  return schema.type === "string" && schema.pattern === "/";
}

function referred(root, reference) {
  return reference.slice(2).split("/").reduce((schema, name) => schema[name], root);
}

function inside(schema, step) {
  if (typeof step === "number") {
    return schema.items ? [schema.items] : [];
  }
  const own = Object.hasOwn(schema.properties ?? {}, step) && schema.properties[step];
  const other = typeof schema.additionalProperties === "object" && schema.additionalProperties;
  return [own || other].filter(Boolean);
}

/** What has neither a kind nor a parent yet can still become either. */
function chosen({ if: condition, then, else: otherwise }, value) {
  const written = Object(value);
  const open = !condition.properties && !("kind" in written) && !("tag" in written);
  const taken = open ? [then, otherwise] : [holds(condition, written) ? then : otherwise];
  return taken.filter(Boolean);
}

function holds({ anyOf, required = [], properties = {} }, written) {
  return (
    (!anyOf || anyOf.some((each) => holds(each, written))) &&
    required.every((name) => name in written) &&
    Object.entries(properties).every(([name, schema]) =>
      "const" in schema ? written[name] === schema.const : name in written,
    )
  );
}
