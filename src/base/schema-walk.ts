import * as v from "valibot";

/**
 * Walks a schema along a value. The validator names only one unknown key per object and accepts a list as an object
 * without keys, which is not enough for documents that people and agents write. So the shape is checked here again, and
 * the same walk finds the part of a schema that an error is about.
 */

type AnySchema = v.GenericSchema;
export type Path = readonly (string | number)[];

export type ShapeProblem =
  | { readonly kind: "unknown_key"; readonly path: Path; readonly known: readonly string[] }
  | { readonly kind: "list_for_object"; readonly path: Path };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const isSchema = (value: unknown): value is AnySchema => isFields(value) && value["kind"] === "schema";

function findPart(schema: AnySchema, name: string): unknown {
  return name in schema ? Object.getOwnPropertyDescriptor(schema, name)?.value : undefined;
}

/** By schema: the entries of one are asked for again with each of its keys. */
const entriesOf = new WeakMap<AnySchema, ReadonlyMap<string, AnySchema>>();

function findEntries(schema: AnySchema): ReadonlyMap<string, AnySchema> {
  const known = entriesOf.get(schema) ?? listEntries(findPart(schema, "entries"));
  entriesOf.set(schema, known);
  return known;
}

function listEntries(entries: unknown): ReadonlyMap<string, AnySchema> {
  const known = new Map<string, AnySchema>();
  if (!isFields(entries)) return known;
  for (const [key, entry] of Object.entries(entries)) if (isSchema(entry)) known.set(key, entry);
  return known;
}

export function listSchemaOptions(schema: AnySchema): readonly AnySchema[] {
  const options = findPart(schema, "options");
  return Array.isArray(options) ? options.filter(isSchema) : [];
}

export function unwrapSchema(schema: AnySchema): AnySchema {
  const getter = findPart(schema, "getter");
  const inner: unknown = typeof getter === "function" ? getter() : findPart(schema, "wrapped");
  return isSchema(inner) ? unwrapSchema(inner) : schema;
}

/** Whether the key exists only to be refused with a reason. */
const isRefused = (schema: AnySchema) => unwrapSchema(schema).type === "never";

function branchFits(branch: AnySchema, discriminator: string, value: Fields): boolean {
  const entry = findEntries(branch).get(discriminator);
  if (entry === undefined) return false;
  if (!Object.hasOwn(value, discriminator)) return entry.type === "exact_optional";
  const [literal, is] = [findPart(entry, "literal"), value[discriminator]];
  return literal === undefined ? v.is(entry, is) : literal === is;
}

const takesObject = (schema: AnySchema) => ["strict_object", "record", "variant"].includes(schema.type);

/** The intended alternative: the one that takes a list, or the one that takes an object. */
function findAlternative(union: AnySchema, value: Fields): AnySchema | undefined {
  const meant = Array.isArray(value) ? (option: AnySchema) => option.type === "array" : takesObject;
  return listSchemaOptions(union).map(unwrapSchema).find(meant);
}

/** Without wrappers, and with the branch of a variant or union chosen. */
function listRulesInForce(schema: AnySchema, value: unknown): AnySchema {
  const inner = unwrapSchema(schema);
  if (!isFields(value)) return inner;
  if (inner.type === "union") return findAlternative(inner, value) ?? inner;
  const discriminator = findPart(inner, "key");
  if (inner.type !== "variant" || typeof discriminator !== "string") return inner;
  return listSchemaOptions(inner).find((branch) => branchFits(branch, discriminator, value)) ?? inner;
}

function findChild(schema: AnySchema, key: string | number): AnySchema | null {
  if (schema.type === "strict_object") return findEntries(schema).get(String(key)) ?? null;
  const part = schema.type === "array" ? findPart(schema, "item") : findPart(schema, "value");
  return isSchema(part) ? part : null;
}

/** Null if the path leaves the schema. */
export function findSchemaAt(schema: AnySchema, value: unknown, path: Path): AnySchema | null {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const child = findChild(listRulesInForce(schema, value), key);
  if (child === null) return null;
  return findSchemaAt(child, isFields(value) ? value[key] : undefined, rest);
}

/** One schema for each branch with a discriminator. */
export function listDiscriminators(variant: AnySchema, key: string): readonly AnySchema[] {
  return listSchemaOptions(unwrapSchema(variant))
    .map((branch) => findEntries(branch).get(key))
    .filter((entry) => entry !== undefined)
    .filter((entry) => !isRefused(entry));
}

function* unknownKeys(schema: AnySchema, value: Fields, path: Path): Generator<ShapeProblem> {
  const entries = findEntries(schema);
  for (const key of Object.keys(value)) {
    if (entries.has(key)) continue;
    const known = [...entries].filter(([, entry]) => !isRefused(entry)).map(([name]) => name);
    yield { kind: "unknown_key", path: [...path, key], known };
  }
}

/** Every unknown key and every list that stands for an object, anywhere in the value. */
export function* findShapeProblems(schema: AnySchema, value: unknown, path: Path = []): Generator<ShapeProblem> {
  if (!isFields(value)) return;
  const current = listRulesInForce(schema, value);
  if (takesObject(current) && Array.isArray(value)) {
    yield { kind: "list_for_object", path };
    return;
  }
  if (current.type === "strict_object") yield* unknownKeys(current, value, path);
  for (const [key, item] of Object.entries(value)) {
    const child = isFields(item) ? findChild(current, key) : null;
    if (child !== null) yield* findShapeProblems(child, item, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/**
 * The words of schema errors: places, values and expectations. Values and keys may come from an agent and be shown in a
 * terminal, so they are cut and escaped.
 */

const LONGEST_QUOTE = 60;
const STEERING = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const escapeText = (character: string) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

function quoteValue(text: string): string {
  const shown = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return JSON.stringify(shown).replaceAll(STEERING, escapeText);
}

/** As in code: `scope.allowed_globs[2]`; the empty path is the document. */
export function describePlace(path: Path): string {
  return path
    .map((key, index) => {
      if (typeof key === "number") return `[${key}]`;
      if (!/^[A-Za-z_$][\w$-]*$/.test(key) || key.length > LONGEST_QUOTE) return `[${quoteValue(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join("");
}

export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string")
    return value.length > LONGEST_QUOTE
      ? `the text ${quoteValue(value)} of ${value.length} characters`
      : `the text ${quoteValue(value)}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `a list of ${value.length} ${value.length === 1 ? "entry" : "entries"}`;
  return value === null ? "null" : "an object";
}

/** `"a"`, `"a" or "b"`, `one of "a", "b", "c"`. */
export function describeChoice(choices: readonly string[]): string {
  return choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
}

const isLiteral = (value: unknown) =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

export function listLiterals(schema: v.GenericSchema): readonly (string | number | boolean)[] {
  if (schema.type === "literal" && "literal" in schema) return [schema.literal].filter(isLiteral);
  if (schema.type === "picklist" && "options" in schema && Array.isArray(schema.options))
    return schema.options.filter(isLiteral);
  return listSchemaOptions(schema).flatMap(listLiterals);
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  strict_object: "an object",
  record: "an object",
  variant: "an object",
  null: "null",
  never: "nothing",
};

export function describeExpectation(schema: v.GenericSchema): string {
  const inner = unwrapSchema(schema);
  const nullable = schema !== inner && ["nullable", "nullish"].some((type) => hasWrapper(schema, type));
  const literals = listLiterals(inner).map((literal) => JSON.stringify(literal));
  const open =
    inner.type === "union" ? listSchemaOptions(inner).filter((option) => listLiterals(option).length === 0) : [];
  const choices = [...literals, ...open.map(describeExpectation)];
  if (nullable && choices.length > 0) choices.push("null");
  if (choices.length > 0) return describeChoice(choices);
  return `${PLAIN[inner.type] ?? inner.expects}${nullable ? " or null" : ""}`;
}

function hasWrapper(schema: v.GenericSchema, type: string): boolean {
  if (schema.type === type) return true;
  return "wrapped" in schema && isWrapper(schema.wrapped) && hasWrapper(schema.wrapped, type);
}

const isWrapper = (value: unknown): value is v.GenericSchema =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";

const LIMITS: Readonly<Record<string, (limit: string, unit: string) => string>> = {
  integer: () => "a whole number",
  min_value: (limit) => `at least ${limit}`,
  gt_value: (limit) => `more than ${limit}`,
  max_value: (limit) => `at most ${limit}`,
  min_length: (limit, unit) => `at least ${limit} ${unit}`,
  max_length: (limit, unit) => `at most ${limit} ${unit}`,
  regex: (limit) => `text that matches ${limit}`,
};

/** Null for a check that only its own message can explain. */
export function describeLimit(issue: v.BaseIssue<unknown>): string | null {
  const one = issue.requirement === 1;
  const unit = typeof issue.input === "string" ? (one ? "character" : "characters") : one ? "entry" : "entries";
  return LIMITS[issue.type]?.(String(issue.requirement), unit) ?? null;
}
