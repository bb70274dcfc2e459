/**
 * A small checker for the part of JSON Schema that our generated schemas use.
 *
 * It shares nothing with the validators, so that the two can be compared, and it throws on a keyword that it does not
 * know instead of passing it over.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
type Json = unknown;
type Schema = Readonly<Record<string, Json>>;
type Keyword = (wanted: Json, value: Json, schema: Schema) => boolean;

const isObject = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);
const number = (value: Json): number => Number(value);
const same = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

const onNumber = (test: (value: number, limit: number) => boolean): Keyword => {
  return (limit, value) => typeof value !== "number" || test(value, number(limit));
};
const onString = (test: (value: string, wanted: Json) => boolean): Keyword => {
  return (wanted, value) => typeof value !== "string" || test(value, wanted);
};
const onArray = (test: (value: readonly Json[], wanted: Json) => boolean): Keyword => {
  return (wanted, value) => !Array.isArray(value) || test(value, wanted);
};

function extraKeys(value: Readonly<Record<string, Json>>, schema: Schema): readonly string[] {
  const known = isObject(schema["properties"]) ? schema["properties"] : {};
  return Object.keys(value).filter((key) => !Object.hasOwn(known, key));
}

const annotation: Keyword = () => true;
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  $schema: annotation,
  $id: annotation,
  $ref: (wanted, value) => accepts(referred(String(wanted)), value),
  title: annotation,
  description: annotation,
  deprecated: annotation,
  default: annotation,
  format: annotation,
  type: (wanted, value) =>
    wanted === "integer"
      ? Number.isInteger(value)
      : (list(wanted).length ? list(wanted) : [wanted]).includes(typeOf(value)),
  const: (wanted, value) => same(wanted, value),
  enum: (wanted, value) => list(wanted).some((one) => same(one, value)),
  minimum: onNumber((value, limit) => value >= limit),
  maximum: onNumber((value, limit) => value <= limit),
  exclusiveMinimum: onNumber((value, limit) => value > limit),
  minLength: onString((value, limit) => value.length >= number(limit)),
  maxLength: onString((value, limit) => value.length <= number(limit)),
  pattern: onString((value, pattern) => new RegExp(String(pattern), "u").test(value)),
  minItems: onArray((value, limit) => value.length >= number(limit)),
  maxItems: onArray((value, limit) => value.length <= number(limit)),
  uniqueItems: onArray((value) => new Set(value.map((item) => JSON.stringify(item))).size === value.length),
  items: onArray((value, items) => value.every((item) => accepts(items, item))),
  properties: (wanted, value) =>
    !isObject(value) ||
    !isObject(wanted) ||
    Object.entries(wanted).every(([key, part]) => !Object.hasOwn(value, key) || accepts(part, value[key])),
  required: (wanted, value) => !isObject(value) || list(wanted).every((key) => Object.hasOwn(value, String(key))),
  additionalProperties: (wanted, value, schema) =>
    !isObject(value) || extraKeys(value, schema).every((key) => wanted !== false && accepts(wanted, value[key])),
  propertyNames: (wanted, value) => !isObject(value) || Object.keys(value).every((key) => accepts(wanted, key)),
  anyOf: (wanted, value) => list(wanted).some((part) => accepts(part, value)),
  oneOf: (wanted, value) => list(wanted).filter((part) => accepts(part, value)).length === 1,
  allOf: (wanted, value) => list(wanted).every((part) => accepts(part, value)),
  not: (wanted, value) => !accepts(wanted, value),
};

/** The schema that another file of ours refers to; those of the command line lie in a folder of their own. */
function referred(reference: string): Json {
  const folder = reference.startsWith("../../") ? "schemas" : "schemas/cli/v1";
  return JSON.parse(readFileSync(join(ROOT, folder, reference.replace("../../", "")), "utf8"));
}

/** Whether a JSON Schema accepts a value. */
export function accepts(schema: Json, value: Json): boolean {
  if (!isObject(schema)) throw new Error(`not a schema: ${JSON.stringify(schema)}`);
  return Object.entries(schema).every(([name, wanted]) => {
    const keyword = KEYWORDS[name];
    if (keyword === undefined) throw new Error(`unknown keyword ${name}`);
    return keyword(wanted, value, schema);
  });
}
