import { CODES } from "../../../contract/values/codes.ts";
import { validateGlob } from "../../../core/paths/glob-validity.ts";
import { findLanding } from "../../../run/land/find-landing.ts";
import { landChange, type LandAnswer } from "../../../run/land/land-change.ts";
import { type LandingTerms, NO_TERMS } from "../../../run/land/landing-task.ts";
import { type LandingOutcome, renderLandingConflict, renderLandings } from "../../../view/cards/landing-text.ts";
import { renderTickCard } from "../../../view/cards/tick-card.ts";
import { printFailure, printWarning } from "../../answers/refusal-answer.ts";
import { printUnpublished } from "../../answers/print-answer.ts";
import { type CommandEnd, refuseMisuse, type RunCommand, type Session } from "../../framework/command.ts";
import type { Options } from "../../framework/option-spec.ts";
import { openLive } from "../../live/live.ts";
import { makeProcessSources } from "../../live/process-sources.ts";
import type { LandOptions } from "./land-spec.ts";

type TriedAnswer = Exclude<LandAnswer, { kind: "misused" }>;

interface Landed {
  readonly name: string;
  readonly answer: TriedAnswer;
}

const CONFLICT_STATUS = 10;

export const runLand: RunCommand<LandOptions> = async ({ positionals, options }, session) => {
  if (positionals.length === 0) return refuseMisuse("name a branch, a job or a run");
  const bad = options.list("allow").find((glob) => validateGlob(glob) !== null);
  if (bad !== undefined) return refuseMisuse(`the glob "${bad}" cannot be used: ${validateGlob(bad) ?? ""}`);
  return landAll(positionals, options, session);
};

/** Ends at the first name that cannot be tried; a conflict or a stop is no reason to keep the others waiting. */
async function landAll(names: readonly string[], options: Options<LandOptions>, session: Session): Promise<CommandEnd> {
  const done: Landed[] = [];
  for (const name of names) {
    const answer = await landName(name, options, session);
    session.stage.clear();
    if (answer.kind === "misused") return answer;
    const isTried = answer.kind === "ended" || answer.kind === "conflict";
    // A failure of the first name is an answer of its own.
    if (!isTried && (done.length === 0 || !session.json)) return printFailure(answer, session);
    done.push({ name, answer });
    await printLanded({ name, answer }, session);
    if (!isTried) break;
  }
  printDocument(done, session);
  if (!session.json && done.length > 1) session.out(renderLandings(done.map(describeLanded)));
  return { kind: "ended", status: Math.max(...done.map(readStatus)) };
}

async function landName(name: string, options: Options<LandOptions>, session: Session): Promise<LandAnswer> {
  const source = await findLanding(session, name);
  if (source.kind !== "salvage" && source.kind !== "range") return source;
  const sources = makeProcessSources(session);
  return landChange({ ...sources, source, terms: readTerms(options), emit: openLive(session, "land").emit });
}

function readTerms(options: Options<LandOptions>): LandingTerms {
  const [allow, checks] = [options.list("allow"), options.list("check")];
  return {
    ...NO_TERMS,
    allow: allow.length === 0 ? null : allow,
    checks: checks.length === 0 ? null : [...new Set(checks)],
    isNewFilesAllowed: options.flag("new-files"),
    maxLines: options.number("max-lines"),
    wishes: { mends: [], oracleChanges: options.list("oracle-changes") },
  };
}

async function printLanded({ name, answer }: Landed, session: Session): Promise<void> {
  if (!session.json) {
    const extent = session.detail === "all" ? "verbose" : "card";
    const isShown = session.detail !== "quiet" || readStatus({ name, answer }) !== 0;
    if (answer.kind === "conflict") session.err(renderLandingConflict({ ...answer, name }, session));
    else if (isShown && answer.kind === "ended") session.out(renderTickCard(answer.report, { ...session, extent }));
  }
  if (answer.kind !== "ended") return;
  printUnpublished(answer.problems, session);
  const warning = await answer.notify();
  if (warning !== null) printWarning(warning, session);
}

function readStatus({ answer }: Landed): number {
  if (answer.kind === "ended") return CODES[answer.report.code].exit;
  return answer.kind === "blocked" ? CODES[answer.code].exit : CONFLICT_STATUS;
}

function describeLanded({ name, answer }: Landed): { readonly name: string; readonly outcome: LandingOutcome } {
  if (answer.kind === "ended") return { name, outcome: answer.report.verdict === "success" ? "landed" : "stopped" };
  return { name, outcome: answer.kind === "conflict" ? "conflict" : "refused" };
}

function printDocument(done: readonly Landed[], { json, out }: Session): void {
  if (!json) return;
  const landings = done.map((landed) => {
    const { answer } = landed;
    const conflict = answer.kind === "conflict" ? { paths: answer.paths, text: answer.text } : null;
    const isFailure = answer.kind === "blocked" || answer.kind === "refused";
    const failure = isFailure ? { cause: answer.cause, message: answer.message } : null;
    return { ...describeLanded(landed), report: answer.kind === "ended" ? answer.report : null, conflict, failure };
  });
  out(`${JSON.stringify({ landings })}\n`);
}
