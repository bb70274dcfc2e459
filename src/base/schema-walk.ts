/**
 * Walks a schema along a value. The validator names only one unknown key per object and accepts a list as an object
 * without keys, which is not enough for documents that people and agents write. So the shape is checked here again, and
 * the same walk finds the part of a schema that an error is about.
 */
import * as v from "valibot";

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
