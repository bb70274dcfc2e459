import { resolve } from "node:path";
import type { Choices } from "../config/choices.ts";
import { makeAttempts } from "../jobs/run-attempts.ts";
import { readGoalAttempt } from "../jobs/read-goal-attempt.ts";
import { runGoalAttempts } from "../jobs/run-goal-attempts.ts";
import type { AttemptsPort } from "../tick/running-tick.ts";
import { listAgents, nameAgent, writeChoices, parseChoices } from "../terminal/choice-options.ts";
import { printWarning, printFailure } from "../terminal/refusal-answer.ts";
import { printTick } from "../terminal/tick-answer.ts";
import { type CommandEnd, type Misused, refuseMisuse, type Session, type RunCommand } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import { openLive, makeProcessSources, makeSeriesSources } from "../terminal/live.ts";
import type { GoalOptions, GoalResumeOptions } from "./goal-spec.ts";
import { SERIES_ENDS } from "../base/codes.ts";
import { GOAL_LIMITS, type GoalSummary } from "../records/goal.ts";
import { findNearestName } from "../base/nearest-name.ts";
import type { SeriesSummary } from "../records/series.ts";
import { findGoal, type FoundGoal } from "../workflows/find-goal.ts";
import { beginGoal, type GoalAnswer, type GoalSources, resumeGoal } from "../workflows/run-goal.ts";
import { renderGoalRemaining, renderGoalReport, renderGoalReviewReport } from "../cards/goal-report.ts";
import { renderGoalCard } from "../cards/goal-text.ts";
import { printAnswer } from "../terminal/print-answer.ts";

/** `relais goal --attempts N`: the command of each attempt, from the options of this one. */

interface SeveralGoals {
  readonly kind: "several";
  readonly objective: string;
  readonly attempts: AttemptsPort;
  readonly maxTurns: number | null;
}

/** Null for the usual one. */
function parseGoalAttempts(
  objective: string,
  options: Options<GoalOptions>,
  session: Session,
): SeveralGoals | Misused | null {
  const count = options.number("attempts") ?? 1;
  const agents = listAgents(options.choice("agent"));
  if (count === 1)
    return agents.length > 1 ? refuseMisuse("--agent names several: say how many attempts with --attempts") : null;
  const turns = options.text("max-turns");
  if (turns !== null && !/^[1-9]\d{0,3}$/.test(turns)) return refuseMisuse("--max-turns is a whole number, 1 or more");
  const rest = writeRest(options, session);
  const attempts = makeAttempts({
    count,
    agents,
    relais: session.relais,
    files: {},
    read: readGoalAttempt,
    makeArguments: (agent) => [
      "goal",
      ...rest,
      ...(agent === null ? [] : [`--agent=${nameAgent(agent)}`]),
      "--json",
      "--",
      objective,
    ],
  });
  return { kind: "several", objective, attempts, maxTurns: turns === null ? null : Number(turns) };
}

const TEXTS = ["max-turns", "quorum", "reviewers", "blocker-threshold", "base"] as const;

function writeRest(options: Options<GoalOptions>, { cwd }: Session): readonly string[] {
  const criteria = options.text("criteria");
  return [
    ...writeChoices(options).filter((argument) => !/^--(?:agent=|ask$)/.test(argument)),
    ...(criteria === null ? [] : [`--criteria=${resolve(cwd, criteria)}`]),
    ...TEXTS.flatMap((name) => {
      const value = options.text(name);
      return value === null ? [] : [`--${name}=${value}`];
    }),
  ];
}

/** Null for the usual one. */
export async function runSeveral(
  objective: string,
  options: Options<GoalOptions>,
  choices: Choices,
  session: Session,
): Promise<CommandEnd | null> {
  const several = parseGoalAttempts(objective, options, session);
  if (several === null || several.kind === "misused") return several;
  const { emit } = openLive(session, "goal");
  const answer = await runGoalAttempts({ ...makeProcessSources(session), ...several, choices, emit });
  session.stage.clear();
  const end = printTick(answer, session);
  const warning = answer.kind === "ended" ? await answer.notify() : null;
  if (warning !== null) printWarning(warning, session);
  return end;
}

/** `relais goal "<objective>"`. */
export const begin: RunCommand<GoalOptions> = async ({ positionals, options }, session) => {
  const [given, more] = positionals;
  const objective = given?.trim() ?? "";
  if (objective === "") return refuseMisuse("a goal needs an objective, in quotes");
  const meant = await findMistypedName(objective, session);
  if (meant !== null) return refuseMisuse(`the objective is the single word "${objective}"; did you mean "${meant}"?`);
  if (more !== undefined) return refuseMisuse("the objective is one argument: put it in quotes");
  if (objective.length > GOAL_LIMITS.objectiveChars)
    return refuseMisuse(`an objective has ${GOAL_LIMITS.objectiveChars} characters at most`);
  const parsed = parseChoices(options);
  if (parsed.kind === "misused") return parsed;
  const several = await runSeveral(objective, options, parsed.choices, session);
  if (several !== null) return several;
  const answer = await beginGoal(makeSources(session, parsed.choices), {
    objective,
    criteriaFile: options.text("criteria"),
    numbers: {
      maxTurns: options.text("max-turns"),
      quorum: options.text("quorum"),
      reviewers: options.text("reviewers"),
      blockerThreshold: options.text("blocker-threshold"),
    },
    base: options.text("base"),
  });
  return printEnd(answer, session);
};

export const resume: RunCommand<GoalResumeOptions> = async ({ options }, session) => {
  const parsed = parseChoices(options);
  if (parsed.kind === "misused") return parsed;
  return printEnd(await resumeGoal(makeSources(session, parsed.choices), options.text("max-turns")), session);
};

export const showGoalStatus: RunCommand = ({ positionals: [wanted] }, session) =>
  showGoal("status", wanted ?? null, session);

export const report: RunCommand = ({ positionals: [wanted] }, session) => showGoal("report", wanted ?? null, session);

/** Nobody is to pay for a turn because of a slip of the finger: an objective has more than one word. */
async function findMistypedName(objective: string, { loadVocabulary }: Session): Promise<string | null> {
  const { commands } = await loadVocabulary();
  const goal = commands.find(({ name }) => name === "goal");
  const names = goal?.subcommands.map(({ name }) => name) ?? [];
  return /\s/u.test(objective) ? null : findNearestName(objective, names);
}

function makeSources(session: Session, choices: Choices): GoalSources {
  return { ...makeSeriesSources(session, "goal"), choices, renderGoal: renderGoalReport };
}

async function printEnd(answer: GoalAnswer, session: Session): Promise<CommandEnd> {
  session.stage.clear();
  if (answer.kind === "misused") return answer;
  if (answer.kind === "reached") return showGoal("status", null, session);
  if (answer.kind !== "series") return printFailure(answer, session);
  const { summary, problems } = answer;
  const found = await findGoal(session, summary.series_id);
  if (found.kind !== "goal") return printFailure(found, session);
  return printAnswer(
    {
      document: makeSummary(found, summary),
      text: () => renderGoalCard({ ...found, ended: summary, summary }, session),
      status: summary.exit_status,
      problems,
    },
    session,
  );
}

async function showGoal(action: "status" | "report", wanted: string | null, session: Session): Promise<CommandEnd> {
  const found = await findGoal(session, wanted);
  if (found.kind !== "goal") return printFailure(found, session);
  const text = () =>
    action === "status"
      ? renderGoalCard({ ...found, ended: found.lastEnd }, session)
      : renderGoalReport(found.ledger, found.ledgerPath);
  return printAnswer({ document: makeSummary(found, null), text, isAsked: true }, session);
}

const STATUS = {
  active: 0,
  complete: SERIES_ENDS.complete.exit,
  blocked: SERIES_ENDS.needs_human.exit,
  needs_human: SERIES_ENDS.needs_human.exit,
} as const satisfies Record<FoundGoal["ledger"]["status"], number>;

function makeSummary(found: FoundGoal, ended: SeriesSummary | null): GoalSummary {
  const { ledger, ledgerPath, branch, commits } = found;
  const { status, goal_id, objective, turns, receipts } = ledger;
  const open = { end: null, reason: null, message: null, hint: null, exit_status: STATUS[status] };
  const { end, reason, message, hint, exit_status } = ended ?? open;
  return {
    kind: "goal_summary",
    result: renderGoalReport(ledger, ledgerPath),
    status,
    approved: status === "complete",
    goal_id,
    objective,
    ledger_path: ledgerPath,
    turns_completed: turns,
    iterations_completed: turns,
    receipts,
    remaining_work: renderGoalRemaining(ledger),
    review_report: renderGoalReviewReport(ledger),
    branch,
    commits: [...commits],
    end,
    reason,
    message,
    hint,
    exit_status,
  };
}
