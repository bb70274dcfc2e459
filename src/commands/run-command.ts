/** `relais run --attempts N`: the command of each attempt, from the options of this one. */
import type { ChosenAgent } from "../config/choices.ts";
import type { AttemptsPlan } from "../jobs/run-attempts.ts";
import type { AttemptsPort } from "../tick/running-tick.ts";
import { readSentence } from "../tick/read-sentence.ts";
import { readTaskFile } from "../tick/read-task.ts";
import type { TaskSource } from "../tick/run-task.ts";
import { listAgents, nameAgent, writeChoices, writeCommandLine } from "../terminal/choice-options.ts";
import { type Misused, refuseMisuse, type RunCommand, type Session } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import type { RunOptions } from "./run-spec.ts";
import { runWithRepairs } from "../tick/run-repairs.ts";
import { renderRepairNotice, renderStartNotice } from "../cards/start-notice-text.ts";
import { makeProcessSources, openLive } from "../terminal/live.ts";
import { printWarning } from "../terminal/refusal-answer.ts";
import { parseRunOptions } from "./run-options.ts";
import { placeSavedWork } from "../terminal/try-again.ts";
import { printTick } from "../terminal/tick-answer.ts";

type ParsedAttempts =
  { readonly kind: "attempts"; readonly attempts: AttemptsPort | null; readonly source: TaskSource } | Misused;

/** The text of the task is read once, here. */
export async function parseAttempts(
  source: TaskSource,
  options: Options<RunOptions>,
  session: Session,
): Promise<ParsedAttempts> {
  const count = options.number("attempts") ?? 1;
  const agents = listAgents(options.choice("agent"));
  if (count === 1) {
    if (agents.length > 1) return refuseMisuse("--agent names several: say how many attempts with --attempts");
    return { kind: "attempts", attempts: null, source };
  }
  if (options.flag("dirty")) return refuseMisuse("--dirty and --attempts exclude each other: attempts begin with HEAD");
  const read = await readText(source, agents, session.cwd);
  if (read.kind === "misused") return read;
  const { name, text, source: known } = read;
  const [{ makeAttempts }, { readRunAttempt }] = await Promise.all([
    import("../jobs/run-attempts.ts"),
    import("../jobs/read-run-attempt.ts"),
  ]);
  const plan: AttemptsPlan = {
    count,
    agents,
    relais: session.relais,
    read: readRunAttempt,
    files: { [FILES[name]]: text },
    makeArguments: (agent, files) => ["run", `--${name}=${files}/${FILES[name]}`, ...writeRest(agent, options)],
  };
  return { kind: "attempts", attempts: makeAttempts(plan), source: known };
}

const FILES = { file: "sentence.txt", task: "task.json" } as const;

interface ReadText {
  readonly kind: "text";
  readonly name: keyof typeof FILES;
  readonly text: string;
  readonly source: TaskSource;
}

async function readText(source: TaskSource, agents: readonly ChosenAgent[], cwd: string): Promise<ReadText | Misused> {
  if (source.kind === "sentence") {
    const read = await readSentence(source.sentence, cwd);
    if (read.kind === "misused") return read;
    const known = { kind: "sentence", sentence: read } as const;
    return { kind: "text", name: "file", text: read.text, source: known };
  }
  if (source.kind !== "task") return refuseMisuse("--attempts needs a sentence, --file or --task");
  if (agents.length > 1) return refuseMisuse("a task names its agent: --agent with several needs a sentence");
  const read = await readTaskFile(source.file, cwd);
  return read.kind === "misused" ? read : { kind: "text", name: "task", text: read.taskText, source };
}

/** Nobody is asked in an attempt, and it keeps its change for the comparison. */
function writeRest(agent: ChosenAgent | null, options: Options<RunOptions>): readonly string[] {
  return [
    ...writeChoices(options).filter((argument) => !/^--(?:agent=|ask$)/.test(argument)),
    ...(agent === null ? [] : [`--agent=${nameAgent(agent)}`]),
    ...(options.flag("no-checks") ? ["--no-checks"] : []),
    ...options.list("update-tests").map((glob) => `--update-tests=${glob}`),
    "--json",
  ];
}

export const runRunCommand: RunCommand<RunOptions> = async ({ positionals, options, given }, session) => {
  const parsed = parseRunOptions(positionals, options);
  if (parsed.kind === "misused") return parsed;
  const several = await parseAttempts(parsed.source, options, session);
  if (several.kind === "misused") return several;
  const { answer, repaired } = await runWithRepairs({
    ...makeProcessSources(session),
    source: several.source,
    attempts: several.attempts,
    choices: parsed.choices,
    wishes: parsed.wishes,
    ...writeCommandLine("run", positionals, given),
    isDirty: options.flag("dirty"),
    isDryRun: options.flag("dry-run"),
    placeSalvage: placeSavedWork,
    repairs: options.number("repairs"),
    onRepair: ({ report }, triesMax) => {
      session.stage.clear();
      if (!session.json && session.detail !== "quiet") session.err(renderRepairNotice(report, triesMax, session.prose));
    },
    announce: (notice) => {
      if (!session.json && session.detail !== "quiet") session.err(renderStartNotice(notice, session.prose));
    },
    emit: openLive(session, "run").emit,
  });
  session.stage.clear();
  const end = printTick(answer, session, repaired);
  const warning = answer.kind === "ended" ? await answer.notify() : null;
  if (warning !== null) printWarning(warning, session);
  if (answer.kind === "ended" && session.keyboard !== null)
    await (await import("../terminal/tick-keys.ts")).offerTickKeys(answer.report.run_id, session);
  return end;
};
