/** `relais goal --attempts N`: the command of each attempt, from the options of this one. */
import { resolve } from "node:path";
import type { Choices } from "../config/choices.ts";
import { makeAttempts } from "../jobs/run-attempts.ts";
import { readGoalAttempt } from "../jobs/read-goal-attempt.ts";
import { runGoalAttempts } from "../jobs/run-goal-attempts.ts";
import type { AttemptsPort } from "../tick/tick-session.ts";
import { listAgents, nameAgent, writeChoices } from "../terminal/choice-options.ts";
import { printWarning } from "../terminal/refusal-answer.ts";
import { printTick } from "../terminal/tick-answer.ts";
import { type CommandEnd, type Misused, refuseMisuse, type Session } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import { openLive } from "../terminal/live.ts";
import { makeProcessSources } from "../terminal/process-sources.ts";
import type { GoalOptions } from "./goal-spec.ts";

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

interface GoalWishes {
  readonly options: Options<GoalOptions>;
  readonly choices: Choices;
}

/** Null for the usual one. */
export async function runSeveral(
  objective: string,
  { options, choices }: GoalWishes,
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
