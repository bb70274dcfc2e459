/**
 * Which values a task may put into the arguments of a check. No shell reads them, but the program does: a leading `-`
 * makes an option, `..` leaves the repository, and an invisible character makes the report lie about what ran. So a
 * value consists of the characters of its kind only; the configuration can reject more, never less.
 */
import type { Config } from "../../config/config.ts";
import { unreachable } from "../../base/invariant.ts";

type ParameterRules = Pick<
  Config["verification"],
  "max_param_len" | "reject_whitespace_in_params" | "reject_dotdot" | "reject_metachars_regex"
>;

export type ParameterKind = "string_token" | "path" | "int";
export type GivenValue = string | number | boolean | null;

/** The reason is the end of a sentence that starts with the parameter. */
export type CheckedParameter =
  { readonly kind: "usable"; readonly text: string } | { readonly kind: "refused"; readonly reason: string };

/** No quotes, brackets or anything that a shell would read, whatever the configuration says. */
const TOKEN = /^[\p{L}\p{M}\p{N} ._@/:+=,~#%*^-]+$/u;
/** Names of files may have brackets and dollars (`app/[id]/page.tsx`, `routes/$user.tsx`). */
const PATH = /^[\p{L}\p{M}\p{N} ._@/+=,~#%()[\]{}$&!'-]+$/u;
const INT = /^[0-9]+$/;
/** Some letters and marks are invisible too. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** The text replaces the placeholder. */
export function checkParameter(kind: ParameterKind, value: GivenValue, rules: ParameterRules): CheckedParameter {
  const text = typeof value === "number" ? formatNumber(kind, value) : value;
  if (typeof text !== "string") {
    const found = value === null ? "null" : `the ${typeof value} ${String(value)}`;
    return { kind: "refused", reason: `has ${found} where ${kind === "int" ? "a whole number" : "a text"} is wanted` };
  }
  const reason = findLengthProblem(text, rules) ?? findTextProblem(text, rules) ?? findKindProblem(kind, text);
  return reason === null ? { kind: "usable", text } : { kind: "refused", reason };
}

/** Only a safe integer has exactly one text. */
function formatNumber(kind: ParameterKind, value: number): string | null {
  return kind === "int" && Number.isSafeInteger(value) ? value.toFixed(0) : null;
}

function findLengthProblem(text: string, { max_param_len }: ParameterRules): string | null {
  if (text === "") return "is empty";
  // Before any expression sees it, so that none can take long.
  return text.length > max_param_len ? `is longer than ${max_param_len} characters` : null;
}

function findTextProblem(text: string, rules: ParameterRules): string | null {
  if (text.startsWith("-")) return "begins with `-`, which a program takes for an option";
  if (rules.reject_whitespace_in_params && /\s/u.test(text)) return "contains white space";
  if (rules.reject_dotdot && text.includes("..")) return "contains `..`";
  if (INVISIBLE.test(text)) return "contains an invisible character";
  if (new RegExp(rules.reject_metachars_regex).test(text)) return "matches reject_metachars_regex";
  return null;
}

function findKindProblem(kind: ParameterKind, text: string): string | null {
  switch (kind) {
    case "int":
      return INT.test(text) ? null : "is not a whole number";
    case "string_token":
      return TOKEN.test(text) ? null : "contains a character that a token may not have";
    case "path":
      return PATH.test(text) ? findPlaceProblem(text) : "contains a character that a path may not have";
    default:
      return unreachable(kind);
  }
}

/** Relative to the root, and no prefix of the path may leave it. */
function findPlaceProblem(path: string): string | null {
  if (path.startsWith("/")) return "is not relative to the root of the repository";
  let depth = 0;
  for (const segment of path.split("/")) {
    if (segment === "..") depth -= 1;
    else if (segment !== "" && segment !== ".") depth += 1;
    if (depth < 0) return "leads out of the repository";
  }
  return null;
}
