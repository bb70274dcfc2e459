/**
 * The words of schema errors: places, values and expectations. Values and keys may come from an agent and be shown in a
 * terminal, so they are cut and escaped.
 */
import type * as v from "valibot";
import { listSchemaOptions, type Path, unwrapSchema } from "./schema-walk.ts";

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
