/**
 * A schema in the words that the Responses API takes for strict output.
 *
 * It wants every object closed and every property of it required, knows alternatives only below the top, and refuses a
 * schema that says more. Whatever merely narrows a value is left out, because the answer is validated afterwards
 * anyhow. What cannot be said at all, such as a property that may be absent, makes the whole schema unsayable: the
 * session is then told the schema in its prompt.
 */

type Node = Readonly<Record<string, unknown>>;

/** Null is "this cannot be said". */
export function adaptCodexSchema(schema: object): Node | null {
  const node = { ...schema };
  return isRecord(node) && isRecord(node["properties"]) ? said(node) : null;
}

const isRecord = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function said(value: unknown): Node | null {
  if (!isRecord(value)) return null;
  if (isRecord(value["properties"])) return saidObject(value, value["properties"]);
  const alternatives = value["anyOf"] ?? value["oneOf"];
  if (Array.isArray(alternatives)) return saidAlternatives(alternatives);
  if (value["type"] === "array") {
    const items = said(value["items"]);
    return items === null ? null : { type: "array", items };
  }
  return saidValue(value);
}

function saidObject(value: Node, properties: Node): Node | null {
  const required: unknown = value["required"];
  const names = Object.keys(properties);
  const isClosed = value["additionalProperties"] === false;
  if (!isClosed || !Array.isArray(required) || !names.every((name) => required.includes(name))) return null;
  const parts: [string, Node][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const part = said(property);
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

function saidAlternatives(alternatives: readonly unknown[]): Node | null {
  const parts = alternatives.map(said);
  return parts.every((part) => part !== null) ? { anyOf: parts } : null;
}

const PLAIN_TYPES = ["string", "number", "integer", "boolean", "null"];

function saidValue({ type, enum: values, const: only }: Node): Node | null {
  const choices = values ?? (only === undefined ? undefined : [only]);
  const kind = type ?? (typeof only === "string" ? "string" : undefined);
  if (typeof kind !== "string" || !PLAIN_TYPES.includes(kind)) return null;
  return choices === undefined ? { type: kind } : { type: kind, enum: choices };
}
