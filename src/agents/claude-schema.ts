/**
 * The schema of a result as Claude Code takes it.
 *
 * It compiles the schema strictly and as draft-07, and silently drops one that it cannot compile: the session then ends
 * well and is bound to nothing. So only keywords that it is known to take are handed on; the answer is validated later.
 * The service takes only a plain object at the top, so anything else is wrapped in an envelope.
 */

export const ENVELOPE_KEY = "answer";

/** Their values are taken as they stand. */
const PLAIN = [
  "type title description enum const required default",
  "minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
  "minItems maxItems uniqueItems minProperties maxProperties",
].flatMap((names) => names.split(" "));
const LISTS = ["anyOf", "oneOf", "allOf"];
/** Their value is one schema, or a list of them. */
const INNER = ["items additionalProperties contains propertyNames not if then else".split(" "), LISTS].flat();
/** Their value holds schemas by names that somebody chose. */
const NAMED = ["properties", "patternProperties", "$defs", "definitions"];
const DEFINITIONS = ["$defs", "definitions"];
const LOCAL_REFERENCE = /^#\/(?:\$defs|definitions)\/[^/]+$/u;

/** Null where the schema cannot be expressed, which makes the answer a plain text. */
export function adaptClaudeSchema(schema: object) {
  const references: unknown[] = [];
  const kept = keepKnown(schema, references);
  if (!references.every((reference) => typeof reference === "string" && LOCAL_REFERENCE.test(reference))) return null;
  const isPlain = kept["type"] === "object" && !["$ref", "not", "if", ...LISTS].some((key) => key in kept);
  if (isPlain) return { schema: kept, isEnveloped: false };
  const entries = Object.entries(kept);
  const definitions = entries.filter(([key]) => DEFINITIONS.includes(key));
  const inner = entries.filter(([key]) => !DEFINITIONS.includes(key));
  const envelope = {
    type: "object",
    properties: { [ENVELOPE_KEY]: Object.fromEntries(inner) },
    required: [ENVELOPE_KEY],
    additionalProperties: false,
    ...Object.fromEntries(definitions),
  };
  return { schema: envelope, isEnveloped: true };
}

function keepKnown(schema: object, references: unknown[]): Record<string, unknown> {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === "$ref") references.push(value);
    // With a list of first items, this key speaks of the rest of them, and alone it would speak of all.
    if (key === "items" && "prefixItems" in schema) return [];
    if (key === "$ref" || PLAIN.includes(key)) return [[key, value]];
    if (INNER.includes(key)) return [[key, keepInner(value, references)]];
    return NAMED.includes(key) && isObject(value) ? [[key, keepNamed(value, references)]] : [];
  });
  return Object.fromEntries(entries);
}

function keepNamed(schemas: object, references: unknown[]): Record<string, unknown> {
  const entries = Object.entries(schemas).map(([name, value]) => [name, keepInner(value, references)] as const);
  return Object.fromEntries(entries);
}

/** A schema may also be a boolean, and `items` of an older draft a list. */
function keepInner(value: unknown, references: unknown[]): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => keepInner(one, references));
  return isObject(value) ? keepKnown(value, references) : value;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
