/**
 * A schema as the Responses API takes it for strict output.
 *
 * Every object must be closed and every property required, alternatives are allowed only below the top, and other
 * keywords are refused. Keywords that merely narrow a value are left out, because the answer is validated afterwards.
 * If the rest cannot be expressed, such as an optional property, the schema goes into the prompt instead.
 */

type SchemaNode = Readonly<Record<string, unknown>>;

/** Null where the schema cannot be expressed. */
export function adaptCodexSchema(schema: object): SchemaNode | null {
  const node = { ...schema };
  return isRecord(node) && isRecord(node["properties"]) ? adapt(node) : null;
}

const isRecord = (value: unknown): value is SchemaNode =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function adapt(value: unknown): SchemaNode | null {
  if (!isRecord(value)) return null;
  if (isRecord(value["properties"])) return adaptObject(value, value["properties"]);
  const alternatives = value["anyOf"] ?? value["oneOf"];
  if (Array.isArray(alternatives)) return adaptAlternatives(alternatives);
  if (value["type"] === "array") {
    const items = adapt(value["items"]);
    return items === null ? null : { type: "array", items };
  }
  return adaptValue(value);
}

function adaptObject(value: SchemaNode, properties: SchemaNode): SchemaNode | null {
  const required: unknown = value["required"];
  const names = Object.keys(properties);
  const isClosed = value["additionalProperties"] === false;
  if (!isClosed || !Array.isArray(required) || !names.every((name) => required.includes(name))) return null;
  const parts: [string, SchemaNode][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const part = adapt(property);
    if (part === null) return null;
    parts.push([name, part]);
  }
  return {
    type: "object",
    properties: Object.fromEntries(parts),
    required: names,
    additionalProperties: false,
  };
}

function adaptAlternatives(alternatives: readonly unknown[]): SchemaNode | null {
  const parts = alternatives.map(adapt);
  return parts.every((part) => part !== null) ? { anyOf: parts } : null;
}

const PLAIN_TYPES = ["string", "number", "integer", "boolean", "null"];

function adaptValue({ type, enum: values, const: only }: SchemaNode): SchemaNode | null {
  const choices = values ?? (only === undefined ? undefined : [only]);
  const kind = type ?? (typeof only === "string" ? "string" : undefined);
  if (typeof kind !== "string" || !PLAIN_TYPES.includes(kind)) return null;
  return choices === undefined ? { type: kind } : { type: kind, enum: choices };
}
