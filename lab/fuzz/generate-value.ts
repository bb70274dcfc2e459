/** Values by the grammar of a schema: what the parser takes, for the most part, and near it otherwise. */
import * as v from "valibot";
import type { Random } from "../../scripts/random.ts";

const HEX = "0123456789abcdef".repeat(4);
const KEY = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".repeat(2);
/** Few names, so that they meet again; and one of each form that a schema asks for. */
const TEXTS = [
  [
    "a",
    "b",
    "constructor",
    "__proto__",
    "job-1",
    "main",
    "worker-1",
    "x y",
    "",
    "é",
    "../x",
    "a/b",
    "\u001b[2J",
    "run",
    "check",
    "US-001",
  ],
  ["2026-01-15T10:00:00.000Z", "2026-01-15T10:00:01.000Z", "9999-12-31T23:59:59.999Z"],
  [HEX, HEX.slice(0, 40), "20260115T100000Z-0123abcd", "20260115T100000Z-0123abce"],
  [
    `SU${KEY.slice(0, 56)}`,
    `U${KEY.slice(0, 55)}`,
    "queue.example.com",
    "tls://queue.example.com:4222",
    "/home/me/ca.pem",
  ],
  ["https://example.invalid/r.git", "-----BEGIN CERTIFICATE-----\nx", "0 9 * * 1-5", "@daily", "SUCCESS", "src/**"],
].flat();
const NUMBERS = [0, 1, 2, 3, 7, 40, 4222, 60_000, -1, 0.5, 1e6, Number.MAX_VALUE];
const WRONG: readonly unknown[] = [null, true, 0, -1, "", "a", [], {}, { a: 1 }, "\u0000", 1e300];
/** One value in so many is any other one. */
const WRONG_IN = 60;
const DEPTH_MAX = 8;
const LEAVES: Readonly<Record<string, readonly unknown[]>> = { string: TEXTS, number: NUMBERS, boolean: [true, false] };

/** The parts of a schema that this reads; valibot has a type for each kind of schema. */
interface AnySchema {
  readonly type: string;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly item?: AnySchema;
  readonly items?: readonly AnySchema[];
  readonly key?: AnySchema;
  readonly value?: AnySchema;
  readonly wrapped?: AnySchema;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly getter?: (input: unknown) => AnySchema;
  readonly pipe?: readonly AnySchema[];
  /** Of an action in a pipe. */
  readonly requirement?: unknown;
}

/** Half of them are as the schema says, as far as its structure tells. */
export function generateValue(schema: v.GenericSchema, random: Random): unknown {
  const isExact = random.below(2) === 0;
  return make(Object(schema), { ...random, slips: () => !isExact && random.below(WRONG_IN) === 0 }, 0);
}

interface Choice extends Random {
  /** Whether this value is another one. */
  readonly slips: () => boolean;
}

function make(schema: AnySchema, random: Choice, depth: number): unknown {
  if (depth > DEPTH_MAX || random.slips()) return random.pick(WRONG);
  const parsed = schema.pipe?.findIndex(({ type }) => type === "parse_json") ?? -1;
  const inner = parsed === -1 ? undefined : schema.pipe?.[parsed + 1];
  if (inner !== undefined) return JSON.stringify(make(inner, random, depth + 1));
  return makeKind(schema, random, (part) => make(part, random, depth + 1));
}

type MakePart = (part: AnySchema) => unknown;

function makeKind(schema: AnySchema, random: Choice, part: MakePart): unknown {
  const { type, wrapped, entries, getter } = schema;
  if (wrapped !== undefined) return random.below(3) === 0 ? nothingOf(type) : part(wrapped);
  if (entries !== undefined) return makeObject(entries, random, part);
  if (getter !== undefined) return part(getter(undefined));
  return (KINDS[type] ?? makeLeaf)(schema, random, part);
}

const nothingOf = (type: string): null | undefined => (type.startsWith("null") ? null : undefined);

function makeObject(entries: NonNullable<AnySchema["entries"]>, random: Choice, part: MakePart): object {
  const made = Object.entries(entries).map(([name, schema]) => [name, part(schema)] as const);
  const extra = random.slips() ? { extra: 1 } : {};
  return { ...Object.fromEntries(made.filter(([, value]) => value !== undefined)), ...extra };
}

function makeList({ item, pipe = [] }: AnySchema, random: Random, part: MakePart): readonly unknown[] {
  const wanted = pipe.find(({ type }) => type === "length")?.requirement;
  const length = typeof wanted === "number" ? wanted : random.below(4);
  return item === undefined ? [] : Array.from({ length }, () => part(item));
}

function makeRecord({ key, value }: AnySchema, random: Random, part: MakePart): object {
  if (key === undefined || value === undefined) return {};
  return Object.fromEntries(Array.from({ length: random.below(3) }, () => [String(part(key)), part(value)]));
}

/** One that the schema takes, where there is one. */
function makeLeaf(schema: AnySchema, random: Random): unknown {
  const leaf: v.GenericSchema = Object(schema);
  const known = LEAVES[schema.type] ?? WRONG;
  const from = random.below(known.length);
  return [...known.slice(from), ...known.slice(0, from)].find((value) => v.is(leaf, value)) ?? known[from];
}

type Make = (schema: AnySchema, random: Choice, part: MakePart) => unknown;

const pickOption: Make = ({ options = [] }, random) => random.pick(options);
const makeOption: Make = ({ options = [] }, random, part) => part(Object(random.pick(options)));

/** By the type of a schema without entries. */
const KINDS: Readonly<Record<string, Make>> = {
  array: makeList,
  tuple: ({ items = [] }, _, part) => items.map(part),
  record: makeRecord,
  picklist: pickOption,
  enum: pickOption,
  union: makeOption,
  variant: makeOption,
  literal: ({ literal }) => literal,
};
