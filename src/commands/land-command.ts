import type { CommandFailure } from "../records/command-failure.ts";
import type { Choices } from "../config/choices.ts";
import { CODES } from "../base/codes.ts";
import { findLanding, type LandAnswer, landChange } from "../landing/land-change.ts";
import { mayHaveQueue } from "../history/may-have-queue.ts";
import { landJob, listWaitingJobs } from "../jobs/land-job.ts";
import { findNamedJob, onQueue } from "./queue-answer.ts";
import { type LandingTerms, NO_TERMS } from "../landing/landing-task.ts";
import { type LandingOutcome, renderLandingConflict, renderLandings, renderReturned } from "../cards/card-facts.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { renderTickCard } from "../cards/tick-card.ts";
import { printFailure, printWarning, readCommandEnd } from "../terminal/refusal-answer.ts";
import { printAnswer, printUnpublished } from "../terminal/print-answer.ts";
import { type CHOICE_OPTIONS, parseChoices } from "../terminal/choice-options.ts";
import { type CommandEnd, type RunCommand, type Session } from "../terminal/command.ts";
import { type Options, parseTypedOptions } from "../terminal/option-spec.ts";
import { refuseToAgent } from "../workspace/own-environment.ts";
import { makeProcessSources, openLive } from "../terminal/live.ts";
import type { LandOptions } from "./land-spec.ts";

type TriedAnswer = Exclude<LandAnswer, { kind: "misused" }>;

interface Landed {
  readonly name: string;
  readonly answer: TriedAnswer;
}

const CONFLICT_STATUS = 10;

export const runLand: RunCommand<LandOptions> = ({ positionals, options, given }, session) => {
  const refusal = refuseToAgent(["relais land", ...positionals].join(" "), session);
  if (refusal !== null) return Promise.resolve(printFailure(refusal, session));
  const parsed = parseChoices(parseTypedOptions<typeof CHOICE_OPTIONS>(given));
  if (parsed.kind === "misused") return Promise.resolve(parsed);
  const terms = readTerms(parsed.choices, options);
  if (!mayHaveQueue(session.environment)) {
    if (positionals.length === 0) return landNothing(session);
    return landAll(positionals, (name) => landOther(name, terms, session), session);
  }
  return onQueue(session, async ({ engine }) => {
    const views = await engine.jobs();
    const waiting = positionals.length > 0 ? [] : await listWaitingJobs(session, engine);
    if ("kind" in waiting) return waiting;
    const names = [...positionals, ...waiting.map(({ id }) => id)];
    if (names.length === 0) return printNothing(session);
    const land = async (name: string): Promise<LandAnswer> => {
      const found = findNamedJob(name.replace(/^relais\//, ""), views);
      if (found.kind === "misused") return landOther(name, terms, session);
      const { view } = found;
      return landJob({ ...makeSources(session), terms, engine, view });
    };
    return landAll(names, land, session);
  });
};

const NOTHING =
  "Nothing waits for landing: no job of this repository has new commits. `relais queue` lists every job.\n";

/** Without a queue there are no jobs; a repository is needed all the same. */
async function landNothing(session: Session): Promise<CommandEnd> {
  return readCommandEnd(await withSnapshot(session, () => printNothing(session)), session);
}

function printNothing(session: Session): CommandEnd {
  return printAnswer({ document: { landings: [] }, text: () => NOTHING }, session);
}

/** Ends at the first name that cannot be tried; a conflict or a stop is no reason to keep the others waiting. */
async function landAll(
  names: readonly string[],
  land: (name: string) => Promise<LandAnswer>,
  session: Session,
): Promise<CommandEnd> {
  const done: Landed[] = [];
  for (const name of names) {
    const answer = await land(name);
    session.stage.clear();
    if (answer.kind === "misused") return answer;
    const failure = findFailure(answer, names.length);
    // A failure of the first name is an answer of its own.
    if (failure !== null && (done.length === 0 || !session.json)) return printFailure(failure, session);
    done.push({ name, answer });
    await printLanded({ name, answer }, session);
    if (failure !== null) break;
  }
  printAll(done, session);
  return { kind: "ended", status: Math.max(...done.map(readStatus)) };
}

const makeSources = (session: Session) => ({
  ...makeProcessSources(session),
  emit: openLive(session, "land").emit,
});

/** A branch or saved work. */
async function landOther(name: string, terms: LandingTerms, session: Session): Promise<LandAnswer> {
  const source = await findLanding(session, name);
  if (source.kind !== "salvage" && source.kind !== "range") return source;
  return landChange({ ...makeSources(session), source, terms });
}

function readTerms(choices: Choices, options: Options<LandOptions>): LandingTerms {
  return { ...NO_TERMS, choices, wishes: { fixes: [], updateTests: options.list("update-tests") } };
}

async function printLanded({ name, answer }: Landed, session: Session): Promise<void> {
  if (!session.json) printCard({ name, answer }, session);
  if (answer.kind !== "ended") return;
  printUnpublished(answer.problems, session);
  const warning = await answer.notify();
  if (warning !== null) printWarning(warning, session);
}

function printCard({ name, answer }: Landed, session: Session): void {
  if (answer.kind === "conflict") session.err(renderLandingConflict({ ...answer, name }, session));
  if (answer.kind !== "ended") return;
  const extent = session.detail === "all" ? "verbose" : "card";
  const isShown = session.detail !== "quiet" || readStatus({ name, answer }) !== 0;
  if (isShown) session.out(renderTickCard(answer.report, { ...session, extent }));
  if (typeof answer.again === "string") session.err(renderReturned(answer.again));
}

/** Among several names, one that is there already is no failure. */
function findFailure(answer: TriedAnswer, names: number): CommandFailure | null {
  if (answer.kind === "ended" || answer.kind === "conflict") return null;
  return names > 1 && isThere(answer) ? null : answer;
}

/** Everything of it landed before, or somebody else did the same. */
function isThere(answer: TriedAnswer): boolean {
  return answer.kind === "refused" && answer.cause === "landed_already";
}

function readStatus({ answer }: Landed): number {
  if (answer.kind === "ended") return CODES[answer.report.code].exit;
  if (isThere(answer)) return 0;
  return answer.kind === "blocked" ? CODES[answer.code].exit : CONFLICT_STATUS;
}

function describeLanded({ name, answer }: Landed): { readonly name: string; readonly outcome: LandingOutcome } {
  if (answer.kind === "ended") return { name, outcome: answer.report.verdict === "success" ? "landed" : "stopped" };
  if (isThere(answer)) return { name, outcome: "already" };
  return { name, outcome: answer.kind === "conflict" ? "conflict" : "refused" };
}

function printAll(done: readonly Landed[], { json, out }: Session): void {
  if (!json) {
    if (done.length > 1) out(renderLandings(done.map(describeLanded)));
    return;
  }
  const landings = done.map((landed) => {
    const { answer } = landed;
    const conflict =
      answer.kind === "conflict" ? { paths: answer.paths, text: answer.text, again: answer.again ?? null } : null;
    const isFailure = answer.kind === "blocked" || answer.kind === "refused";
    const failure = isFailure ? { cause: answer.cause, message: answer.message } : null;
    const again = answer.kind === "ended" || answer.kind === "conflict" ? (answer.again ?? null) : null;
    const report = answer.kind === "ended" ? answer.report : null;
    return { ...describeLanded(landed), report, conflict, again, failure };
  });
  out(`${JSON.stringify({ landings })}\n`);
}
