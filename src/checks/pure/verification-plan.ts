import type { Config } from "../../config/config.ts";
import { unreachable } from "../../base/errors.ts";
import type { CodeOf } from "../../base/codes.ts";
import { quote } from "../../base/words.ts";

/**
 * Which values a task may put into the arguments of a check. No shell reads them, but the program does: a leading `-`
 * makes an option, `..` leaves the repository, and an invisible character makes the report lie about what ran. So a
 * value consists of the characters of its kind only; the configuration can reject more, never less.
 */

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

/**
 * The checks of a task as argument lists that are ready to run. An agent writes the task, so it only chooses templates
 * of the configuration and fills their parameters. Anything that does not fit exactly taints the whole plan, so that
 * nothing runs if part of the request is not understood.
 */

interface PlanSettings extends Readonly<Config["verification"]> {
  /** Whether a path leads out of the repository through a link. */
  readonly leadsOutside?: (path: string) => boolean;
}
type Template = PlanSettings["templates"][number];
type CheckPhase = "fast" | "slow";

export interface WantedChecks {
  readonly fast: readonly string[];
  readonly slow: readonly string[];
  readonly params?: Readonly<Record<string, GivenParameters>>;
}

type GivenParameters = Readonly<Record<string, GivenValue>>;

export interface Check {
  readonly templateId: string;
  readonly phase: CheckPhase;
  readonly cmd: string;
  readonly args: readonly string[];
  readonly timeoutSeconds: number;
  readonly stopCode: CodeOf<"stop">;
  /** Whether it may use the network; absent is no. */
  readonly network?: boolean;
  /** Whether it runs only on the finished change; absent is no. */
  readonly once?: boolean;
  /** Absent for a check that agents know. */
  readonly heldOut?: { readonly isShared: boolean };
}

type Command = Pick<Check, "cmd" | "args">;

export function isSameCommand(one: Command, other: Command): boolean {
  return JSON.stringify([one.cmd, ...one.args]) === JSON.stringify([other.cmd, ...other.args]);
}

interface PlanProblem {
  readonly cause: "template_unknown" | "param_missing" | "param_extra" | "param_refused";
  readonly message: string;
}

export type VerificationPlan =
  | { readonly kind: "ready"; readonly checks: readonly Check[] }
  | { readonly kind: "tainted"; readonly problems: readonly [PlanProblem, ...PlanProblem[]] };

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const NOTHING: GivenParameters = {};

/** All fast checks, then all slow ones. */
export function planChecks(settings: PlanSettings, wanted: WantedChecks): VerificationPlan {
  const templates = new Map(settings.templates.map((template) => [template.id, template] as const));
  const given = new Map(Object.entries(wanted.params ?? {}));
  const asked = (["fast", "slow"] as const).flatMap((phase) => wanted[phase].map((id) => ({ id, phase })));
  const checks: Check[] = [];
  const problems: PlanProblem[] = [...findIdleParameters(given, new Set(asked.map(({ id }) => id)))];
  for (const { id, phase } of asked) {
    const template = templates.get(id);
    if (template === undefined) {
      problems.push({ cause: "template_unknown", message: `There is no template ${quote(id)}.` });
      continue;
    }
    const filled = fill(template, given.get(id) ?? NOTHING, settings);
    problems.push(...filled.problems);
    const { cmd, network = false, once = false } = template;
    const own = { templateId: id, cmd, args: filled.args, network, ...(once ? { once } : {}) };
    checks.push({ ...own, ...makePhaseSettings(settings, phase) });
  }
  const [first, ...others] = problems;
  return first === undefined
    ? { kind: "ready", checks }
    : { kind: "tainted", problems: [first, ...dropRepeatedProblems(first, others)] };
}

function makePhaseSettings(
  settings: PlanSettings,
  phase: CheckPhase,
): Pick<Check, "phase" | "timeoutSeconds" | "stopCode"> {
  return phase === "fast"
    ? { phase, timeoutSeconds: settings.timeout_fast_seconds, stopCode: "STOP_VERIFY_FAILED_FAST" }
    : { phase, timeoutSeconds: settings.timeout_slow_seconds, stopCode: "STOP_VERIFY_FAILED_SLOW" };
}

/** A template that is requested twice has the same problem twice. */
function dropRepeatedProblems(first: PlanProblem, others: readonly PlanProblem[]): PlanProblem[] {
  const byMessage = new Map(others.map((problem) => [problem.message, problem]));
  byMessage.delete(first.message);
  return [...byMessage.values()];
}

/** Values for a template that does not run were meant for something else. */
function findIdleParameters(
  given: ReadonlyMap<string, GivenParameters>,
  asked: ReadonlySet<string>,
): readonly PlanProblem[] {
  return [...given]
    .filter(([id, values]) => !asked.has(id) && Object.keys(values).length > 0)
    .map(([id]) => ({
      cause: "param_extra",
      message: `There are parameters for ${quote(id)}, which is not among the checks.`,
    }));
}

interface FilledTemplate {
  readonly args: readonly string[];
  readonly problems: readonly PlanProblem[];
}

function fill(template: Template, given: GivenParameters, settings: PlanSettings): FilledTemplate {
  const declared = new Map(Object.entries(template.params ?? {}));
  const values = new Map<string, string>();
  const problems = findExtraParameters(template.id, given, declared);
  for (const [name, { kind }] of declared) {
    const subject = `The parameter ${quote(name)} of ${quote(template.id)}`;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      problems.push({ cause: "param_missing", message: `${subject} is missing.` });
      continue;
    }
    const checked = checkPlace(kind, checkParameter(kind, value, settings), settings);
    if (checked.kind === "usable") values.set(name, checked.text);
    else problems.push({ cause: "param_refused", message: `${subject} ${checked.reason}.` });
  }
  // In one pass and by a function, so that no value is read as a placeholder or as a replacement pattern.
  const args = template.args.map((arg) =>
    arg.replaceAll(PLACEHOLDER, (placeholder, name: string) => values.get(name) ?? placeholder),
  );
  return { args, problems };
}

/** The text of a path does not prove where it leads. */
function checkPlace(kind: ParameterKind, checked: CheckedParameter, { leadsOutside }: PlanSettings): CheckedParameter {
  if (kind !== "path" || checked.kind !== "usable" || leadsOutside?.(checked.text) !== true) return checked;
  return { kind: "refused", reason: "leads out of the repository through a link" };
}

function findExtraParameters(
  id: string,
  given: GivenParameters,
  declared: ReadonlyMap<string, unknown>,
): PlanProblem[] {
  return Object.keys(given)
    .filter((name) => !declared.has(name))
    .map((name) => ({
      cause: "param_extra",
      message: `The template ${quote(id)} has no parameter ${quote(name)}.`,
    }));
}

/** The checks of a task that a person describes on the command line. */

/** Every check that needs no parameters. */
export function listPlainChecks({ templates }: Pick<Config["verification"], "templates">): readonly string[] {
  return templates.filter(({ params = {} }) => Object.keys(params).length === 0).map(({ id }) => id);
}

/** The named checks, ready to run; none if one of them cannot be filled in. */
export function makeChosenChecks({ verification }: Config, ids: readonly string[]): readonly Check[] {
  const plan = planChecks(verification, { fast: [], slow: ids });
  return plan.kind === "ready" ? plan.checks : [];
}
