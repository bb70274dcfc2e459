/**
 * Which values a task may put into the arguments of a check.
 *
 * No shell reads them, but the program does: a value that begins with `-` is an option, one that climbs with `..` leaves
 * the repository, and a character that nobody sees makes the report lie about what ran. So a value is made of the
 * characters of its kind and of nothing else; what the configuration rejects comes on top of that, never instead.
 */
import type { Config } from "../../contract/config/config.ts";
import { unreachable } from "../../contract/values/invariant.ts";

type Rules = Pick<
  Config["verification"],
  "max_param_len" | "reject_whitespace_in_params" | "reject_dotdot" | "reject_metachars_regex"
>;

export type ParameterKind = "string_token" | "path" | "int";
export type GivenValue = string | number | boolean | null;

/** What becomes of a given value; a reason is the end of a sentence that begins with the parameter. */
export type CheckedParameter =
  { readonly kind: "usable"; readonly text: string } | { readonly kind: "refused"; readonly reason: string };

/** A token has no use for quotes, brackets or anything that a shell would read, whatever the configuration says. */
const TOKEN = /^[\p{L}\p{M}\p{N} ._@/:+=,~#%*^-]+$/u;
/** Names of files do have brackets and dollars (`app/[id]/page.tsx`, `routes/$user.tsx`). */
const PATH = /^[\p{L}\p{M}\p{N} ._@/+=,~#%()[\]{}$&!'-]+$/u;
const INT = /^[0-9]+$/;
/** Some letters and marks are invisible too. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Decides about one value and gives the text that takes the place of its placeholder. */
export function checkParameter(kind: ParameterKind, value: GivenValue, rules: Rules): CheckedParameter {
  const text = typeof value === "number" ? numberText(kind, value) : value;
  if (typeof text !== "string") return refused(`has ${typeName(value)} where ${wanted(kind)} is wanted`);
  const reason = lengthProblem(text, rules) ?? textProblem(text, rules) ?? kindProblem(kind, text);
  return reason === null ? { kind: "usable", text } : refused(reason);
}

function refused(reason: string): CheckedParameter {
  return { kind: "refused", reason };
}

/** Only an integer is written in one way; what is not one, or not exactly one, has no text. */
function numberText(kind: ParameterKind, value: number): string | null {
  return kind === "int" && Number.isSafeInteger(value) ? value.toFixed(0) : null;
}

function typeName(value: GivenValue): string {
  return value === null ? "null" : `the ${typeof value} ${String(value)}`;
}

function wanted(kind: ParameterKind): string {
  return kind === "int" ? "a whole number" : "a text";
}

function lengthProblem(text: string, { max_param_len }: Rules): string | null {
  if (text === "") return "is empty";
  // Before any expression sees it, so that none of them can take long.
  return text.length > max_param_len ? `is longer than ${max_param_len} characters` : null;
}

function textProblem(text: string, rules: Rules): string | null {
  if (text.startsWith("-")) return "begins with `-`, which a program takes for an option";
  if (rules.reject_whitespace_in_params && /\s/u.test(text)) return "contains white space";
  if (rules.reject_dotdot && text.includes("..")) return "contains `..`";
  if (INVISIBLE.test(text)) return "contains an invisible character";
  if (new RegExp(rules.reject_metachars_regex).test(text)) return "matches reject_metachars_regex";
  return null;
}

function kindProblem(kind: ParameterKind, text: string): string | null {
  switch (kind) {
    case "int":
      return INT.test(text) ? null : "is not a whole number";
    case "string_token":
      return TOKEN.test(text) ? null : "contains a character that a token may not have";
    case "path":
      return PATH.test(text) ? placeProblem(text) : "contains a character that a path may not have";
    default:
      return unreachable(kind);
  }
}

/** Paths are relative to the root, and no part of one may lead above it, not even to come back. */
function placeProblem(path: string): string | null {
  if (path.startsWith("/")) return "is not relative to the root of the repository";
  let depth = 0;
  for (const segment of path.split("/")) {
    if (segment === "..") depth -= 1;
    else if (segment !== "" && segment !== ".") depth += 1;
    if (depth < 0) return "leads out of the repository";
  }
  return null;
}
