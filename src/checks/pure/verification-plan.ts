/**
 * The checks of a task as argument lists that are ready to run. An agent writes the task, so it only chooses templates
 * of the configuration and fills their parameters. Anything that does not fit exactly taints the whole plan, so that
 * nothing runs if part of the request is not understood.
 */
import type { CodeOf } from "../../base/codes.ts";
import type { Config } from "../../config/config.ts";
import { type CheckedParameter, checkParameter, type GivenValue, type ParameterKind } from "./check-parameter.ts";
import { quote } from "../../base/quote.ts";

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
