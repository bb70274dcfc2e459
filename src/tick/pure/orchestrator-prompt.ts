/**
 * The prompt of the orchestrator. Stable parts come first, so that models can reuse the common beginning. All text of
 * others is capped and framed: it is information, never an instruction.
 */
import type { Config } from "../../config/config.ts";
import type { WorkspaceState } from "../../records/state.ts";
import { describeBudget, describeRemainingBudget, isMilestoneSpent, listBudgetWarnings } from "./budget.ts";
import { readConfiguredMode } from "./task-admission.ts";
import { countBytes, fillTemplate, frameSection } from "./framed-section.ts";

export interface PlanFacts {
  readonly config: Config;
  /** GOAL.md and FACTS.md; empty if missing. */
  readonly goal: string;
  readonly facts: string;
  readonly branch: string;
  readonly commit: string;
  readonly state: WorkspaceState;
  readonly lastReport: string;
  readonly blocked: object | null;
}

interface Rejection {
  readonly message: string;
  readonly excerpt: string | null;
}

interface PromptRequest {
  readonly system: string;
  readonly user: string;
  readonly facts: PlanFacts;
  readonly rejection: Rejection | null;
  /** How many tasks one answer may have; absent is one. */
  readonly tasksMax?: number;
}

export interface OrchestratorPrompt {
  readonly system: string;
  readonly user: string;
  readonly bytes: Readonly<Record<string, number>>;
}

interface Section {
  readonly name: string;
  readonly slot: string;
  readonly bytesMax: number;
  readonly text: (facts: PlanFacts) => string;
}

const KIB = 1024;

/** Each section has a slot in `prompts/orchestrator.user.txt`; what seldom changes comes first. */
const SECTIONS: readonly Section[] = [
  { name: "goal", slot: "PROJECT_GOAL", bytesMax: 16 * KIB, text: ({ goal }) => goal },
  { name: "checks", slot: "VERIFY_TEMPLATE_IDS", bytesMax: 8 * KIB, text: writeChecks },
  { name: "limits", slot: "SCOPE_DEFAULTS", bytesMax: 8 * KIB, text: writeLimits },
  { name: "facts", slot: "FACTS_MD", bytesMax: 16 * KIB, text: ({ facts }) => facts },
  { name: "answer", slot: "ANSWER", bytesMax: 16 * KIB, text: writeAnswer },
  { name: "blocked", slot: "BLOCKED_JSON_OR_EMPTY", bytesMax: 4 * KIB, text: writeBlocked },
  { name: "milestone", slot: "MILESTONE_ID", bytesMax: KIB, text: ({ state }) => state.milestone_id ?? "" },
  { name: "last_report", slot: "LAST_REPORT_MD", bytesMax: 8 * KIB, text: ({ lastReport }) => lastReport },
  { name: "budgets", slot: "BUDGETS_SUMMARY", bytesMax: 4 * KIB, text: writeBudgets },
  { name: "git_status", slot: "GIT_STATUS", bytesMax: KIB, text: writeStatus },
];

export const ORCHESTRATOR_SLOTS: readonly string[] = SECTIONS.map(({ slot }) => slot);

const REJECTION_BYTES_MAX = 6 * KIB;

/** The rejection of an earlier answer comes last, after everything that stays the same. */
export function composeOrchestratorPrompt(request: PromptRequest): OrchestratorPrompt {
  const { system, user, facts, rejection, tasksMax = 1 } = request;
  const sections = SECTIONS.map(({ name, slot, bytesMax, text }) => {
    return { name, slot, text: frameSection(text(facts), bytesMax) };
  });
  const slots = Object.fromEntries(sections.map(({ slot, text }) => [slot, text] as const));
  const again = rejection === null ? "" : writeRejection(rejection);
  const round = tasksMax > 1 ? writeRound(tasksMax) : "";
  const filled = `${fillTemplate(user, slots)}${round}${again}`;
  return {
    system,
    user: filled,
    bytes: {
      system: countBytes(system),
      ...Object.fromEntries(sections.map(({ name, text }) => [name, countBytes(text)] as const)),
      ...(round === "" ? {} : { round: countBytes(round) }),
      ...(again === "" ? {} : { rejection: countBytes(again) }),
      total: countBytes(system) + countBytes(filled),
    },
  };
}

/** The schema of such an answer holds that of a task. */
export function makeRoundSchema(task: object, tasksMax: number): object {
  const items = Object.fromEntries(Object.entries(task).filter(([key]) => key !== "$schema" && key !== "$id"));
  const tasks = { type: "array", minItems: 1, maxItems: tasksMax, items };
  return { type: "object", properties: { tasks }, required: ["tasks"], additionalProperties: false };
}

function writeRound(tasksMax: number): string {
  return `
## Several tasks at once

Up to ${tasksMax} tasks can be worked on at the same time, each by a builder of its own in a copy of the repository. Answer with one JSON object
{"tasks": [...]}, in which each entry is a whole task as described above. Put several into it only if they are independent: no
task needs the result of another one, no two change the same files or things that depend on each other, and their
"scope.allowed_globs" have no path in common. They land in this order, and each is checked again on top of those before it. Several tasks are all of kind
"execute", of the same milestone, and each has its own "task_id". If only one task is ready, or for a question or a control, the list has one entry.
`;
}

function writeRejection({ message, excerpt }: Rejection): string {
  return [
    "\n## Your last answer could not be used",
    frameSection(message, REJECTION_BYTES_MAX),
    "It began like this:",
    frameSection(excerpt ?? "", REJECTION_BYTES_MAX),
    "This is the last attempt. Answer with one JSON object that follows the task schema, and with nothing else.\n",
  ].join("\n\n");
}

function writeChecks({ config }: PlanFacts): string {
  return config.verification.templates
    .map(({ id, cmd, args, params = {} }) => {
      const names = Object.entries(params).map(([name, { kind }]) => `${name} (${kind})`);
      const needs = names.length === 0 ? "no parameters" : `parameters: ${names.join(", ")}`;
      return `${id}: ${[cmd, ...args].join(" ")}; ${needs}`;
    })
    .join("\n");
}

function writeLimits({ config }: PlanFacts): string {
  const { scope, diff_limits: limits, builder } = config;
  const mode = readConfiguredMode(config);
  const modes = [...new Set([mode, ...(builder.allow_patch_mode ? ["patch"] : [])])];
  return [
    `builder.mode is one of: ${modes.join(", ")}`,
    `allowed at most, whatever a task says: ${scope.default_allowed_globs.join(" ")}`,
    `always forbidden: ${scope.default_forbidden_globs.join(" ")}`,
    `new files usually allowed: ${sayYesOrNo(scope.default_allow_new_files)}`,
    `lockfile changes usually allowed: ${sayYesOrNo(scope.default_allow_lockfile_changes)}`,
    `lockfiles: ${scope.lockfiles.join(" ")}`,
    `at most ${limits.default_max_files_touched ?? "any number of"} files`,
    `at most ${limits.default_max_lines_changed ?? "any number of"} changed lines`,
    ...describeBudget(config.budgets),
  ].join("\n");
}

function sayYesOrNo(value: boolean): string {
  return value ? "yes" : "no";
}

/** A tick starts on a clean tree only, so there is no more to say. */
function writeStatus({ branch, commit }: PlanFacts): string {
  return `nothing uncommitted\nbranch: ${branch}\ncommit: ${commit}`;
}

function writeAnswer({ state: { open_question: asked } }: PlanFacts): string {
  if (asked === null) return "";
  const choices = asked.choices.map((choice, index) => `${index + 1}. ${choice}`);
  const answer = asked.answer === null ? "Nobody has answered yet." : `Answer: ${asked.answer}`;
  return [`Question: ${asked.prompt}`, ...choices, answer].join("\n");
}

function writeBlocked({ blocked }: PlanFacts): string {
  return blocked === null ? "" : JSON.stringify(blocked, null, 2);
}

const SPENT =
  "This milestone has reached a cap: another task of it is refused. Propose a task of another milestone, ask a question, or stop.";

function writeBudgets({ state, config }: PlanFacts): string {
  const warnings = listBudgetWarnings(state, config.budgets).map((warning) => `Budget critical: ${warning}`);
  const spent = isMilestoneSpent(state, config.budgets) ? [SPENT] : [];
  return [...describeRemainingBudget(state, config.budgets), ...warnings, ...spent].join("\n");
}
