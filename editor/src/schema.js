// Looks up paths in the schema of bodies. Supports only the keywords that the registry's schema uses.

/** All schemas that apply at a path. `whole` is the body as written so far. */
export function at(root, steps, whole) {
  let value = whole;
  let schemas = branches(root, root, value);
  for (const step of steps) {
    value = value?.[step];
    schemas = schemas.flatMap((schema) => inside(schema, step)).flatMap((schema) => branches(root, schema, value));
  }
  return schemas;
}

/** The schema and its subschemas that apply to a value. */
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

/** One line with type, unit and default. */
export function brief(root, schema) {
  const [first] = branches(root, schema).filter((branch) => branch.type ?? branch.enum);
  const type = first?.enum ? "one of a list" : first?.type;
  const standard = "default" in schema ? `default ${JSON.stringify(schema.default)}` : "";
  return [type, schema["x-unit"], standard].filter(Boolean).join(", ");
}

/** Whether the schema is that of a reference to a tag. */
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

/** Without a kind or a parent so far, both branches are possible. */
function chosen({ if: condition, then, else: otherwise }, value) {
  const written = Object(value);
  const open = !condition.properties && !("kind" in written) && !("tag" in written);
  const taken = open ? [then, otherwise] : [holds(condition, written) ? then : otherwise];
  return taken.filter(Boolean);
}

function holds({ anyOf, required = [], properties = {} }, written) {
  return (
    (!anyOf || anyOf.some((schema) => holds(schema, written))) &&
    required.every((name) => name in written) &&
    Object.entries(properties).every(([name, schema]) =>
      "const" in schema ? written[name] === schema.const : name in written,
    )
  );
}
