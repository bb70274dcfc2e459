/**
 * Walks a schema along a value.
 *
 * The validator names one unknown key per object and takes a list for an object without keys. Both are not good enough
 * for documents that people and agents write by hand, so the shape is checked here once more, and the same walk finds
 * the part of a schema that an error is about.
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

function partOf(schema: AnySchema, name: string): unknown {
  return name in schema ? Object.getOwnPropertyDescriptor(schema, name)?.value : undefined;
}

function entriesOf(schema: AnySchema): ReadonlyMap<string, AnySchema> {
  const entries = partOf(schema, "entries");
  const known = new Map<string, AnySchema>();
  if (!isFields(entries)) return known;
  for (const [key, entry] of Object.entries(entries)) if (isSchema(entry)) known.set(key, entry);
  return known;
}

/** The alternatives of a union or a variant. */
export function listSchemaOptions(schema: AnySchema): readonly AnySchema[] {
  const options = partOf(schema, "options");
  return Array.isArray(options) ? options.filter(isSchema) : [];
}

/** What an optional, nullable or lazy schema stands for; any other schema is its own answer. */
export function unwrapSchema(schema: AnySchema): AnySchema {
  const getter = partOf(schema, "getter");
  const inner: unknown = typeof getter === "function" ? getter() : partOf(schema, "wrapped");
  return isSchema(inner) ? unwrapSchema(inner) : schema;
}

/** Whether the key exists only to be refused with a reason. */
const isRefused = (schema: AnySchema) => unwrapSchema(schema).type === "never";

function branchFits(branch: AnySchema, discriminator: string, value: Fields): boolean {
  const entry = entriesOf(branch).get(discriminator);
  if (entry === undefined) return false;
  return Object.hasOwn(value, discriminator) ? v.is(entry, value[discriminator]) : entry.type === "exact_optional";
}

const takesObject = (schema: AnySchema) => ["strict_object", "record", "variant"].includes(schema.type);

/** The alternative of a union that was meant: the one that takes a list, or the one that takes an object. */
function alternativeFor(union: AnySchema, value: Fields): AnySchema | undefined {
  const meant = Array.isArray(value) ? (option: AnySchema) => option.type === "array" : takesObject;
  return listSchemaOptions(union).map(unwrapSchema).find(meant);
}

/** The schema that is in force for this value: wrappers taken off, the branch of a variant or union chosen. */
function inForce(schema: AnySchema, value: unknown): AnySchema {
  const inner = unwrapSchema(schema);
  if (!isFields(value)) return inner;
  if (inner.type === "union") return alternativeFor(inner, value) ?? inner;
  const discriminator = partOf(inner, "key");
  if (inner.type !== "variant" || typeof discriminator !== "string") return inner;
  return listSchemaOptions(inner).find((branch) => branchFits(branch, discriminator, value)) ?? inner;
}

function childOf(schema: AnySchema, key: string | number): AnySchema | null {
  if (schema.type === "strict_object") return entriesOf(schema).get(String(key)) ?? null;
  const part = schema.type === "array" ? partOf(schema, "item") : partOf(schema, "value");
  return isSchema(part) ? part : null;
}

/** The part of the schema that a path through a value leads to; null where the path leaves the schema. */
export function findSchemaAt(schema: AnySchema, value: unknown, path: Path): AnySchema | null {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const child = childOf(inForce(schema, value), key);
  if (child === null) return null;
  return findSchemaAt(child, isFields(value) ? value[key] : undefined, rest);
}

/** What a variant's discriminator may be: one schema for each branch that has one to be written. */
export function listDiscriminators(variant: AnySchema, key: string): readonly AnySchema[] {
  return listSchemaOptions(unwrapSchema(variant))
    .map((branch) => entriesOf(branch).get(key))
    .filter((entry) => entry !== undefined)
    .filter((entry) => !isRefused(entry));
}

function* unknownKeys(schema: AnySchema, value: Fields, path: Path): Generator<ShapeProblem> {
  const entries = entriesOf(schema);
  const known = [...entries].filter(([, entry]) => !isRefused(entry)).map(([key]) => key);
  for (const key of Object.keys(value))
    if (!entries.has(key)) yield { kind: "unknown_key", path: [...path, key], known };
}

/** Every unknown key and every list that stands for an object, anywhere in the value. */
export function* findShapeProblems(schema: AnySchema, value: unknown, path: Path = []): Generator<ShapeProblem> {
  if (!isFields(value)) return;
  const current = inForce(schema, value);
  if (takesObject(current) && Array.isArray(value)) {
    yield { kind: "list_for_object", path };
    return;
  }
  if (current.type === "strict_object") yield* unknownKeys(current, value, path);
  for (const [key, item] of Object.entries(value)) {
    const child = childOf(current, key);
    if (child !== null) yield* findShapeProblems(child, item, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}
