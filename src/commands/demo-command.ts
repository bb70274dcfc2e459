import { resolve } from "node:path";
import { unreachable } from "../base/errors.ts";
import type { DemoOutcome } from "../records/demo.ts";
import { type DemoEnd, runDemo } from "../setup/run-demo.ts";
import { DEMO_ACTS } from "../setup/demo-acts.ts";
import {
  renderActOpening,
  renderDemoClosing,
  renderDemoOpening,
  measureOutput,
  renderStepEnding,
  renderStepOpening,
} from "../cards/demo-text.ts";
import { renderFailure } from "../cards/failure-text.ts";
import { type CommandEnd, refuseMisuse, type RunCommand, type Session } from "../terminal/command.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import type { DemoOptions } from "./demo-spec.ts";
import { printFailure } from "../terminal/refusal-answer.ts";

/** A demonstration that does not hold is a bug in relais, or a machine that it cannot work on. */
const FAILED_STATUS = 1;
const DOCTOR = "Next: run `relais doctor` to find the problem.";
const ALL = "all";

/** `relais demo`, with the act that is played, or all of them. */
export function showAct(name: string): RunCommand<DemoOptions> {
  const acts = DEMO_ACTS.filter(({ id }) => name === ALL || name === id);
  return ({ options }, session) => play(acts, options.text("into"), session);
}

async function play(acts: typeof DEMO_ACTS, into: string | null, session: Session): Promise<CommandEnd> {
  const say = (text: string): void => {
    if (!session.json && session.detail !== "quiet") session.out(text);
  };
  const end = await runDemo({
    ...session,
    acts,
    into: into === null ? null : resolve(session.cwd, into),
    columns: measureOutput(session),
    onOpening: (place) => say(renderDemoOpening(place, session)),
    onAct: (act) => say(renderActOpening(act, session)),
    onStep: (step, at) => say(renderStepOpening(step, at, session)),
    onOutcome: (outcome) => say(renderStepEnding(outcome, session)),
  });
  if (end.kind === "played") {
    say(renderDemoClosing(end, session));
    if (session.detail === "quiet") printUnexpected(end, session);
  }
  return printEnd(end, session);
}

type Played = Extract<DemoEnd, { kind: "played" }>;

/** Prints the steps that went wrong. */
function printUnexpected({ acts }: Played, session: Session): void {
  for (const { outcomes } of acts) {
    for (const [index, outcome] of outcomes.entries()) {
      if (!outcome.isAsExpected)
        session.err(renderStepOpening(outcome.step, index + 1, session) + renderStepEnding(outcome, session));
    }
  }
}

function printEnd(end: DemoEnd, session: Session): CommandEnd {
  switch (end.kind) {
    case "refused":
      return refuseMisuse(`--into needs a new or empty folder: ${end.reason}`);
    case "blocked":
      return printFailure(end, session);
    case "stopped":
      return printStop({ message: "the demonstration was stopped", next: "The folder stays." }, session);
    case "failed":
      return printStop({ message: `the demonstration could not go on: ${end.message}`, next: DOCTOR }, session);
    case "played": {
      const isGood = end.acts.every(({ outcomes }) => outcomes.every(({ isAsExpected }) => isAsExpected));
      const status = isGood ? 0 : FAILED_STATUS;
      return printAnswer({ document: makeDemoDocument(end, isGood), text: () => "", status }, session);
    }
    default:
      return unreachable(end);
  }
}

function printStop(
  { message, next }: { message: string; next: string },
  { json, out, err, prose }: Session,
): CommandEnd {
  if (json) out(`${JSON.stringify({ ok: false, message })}\n`);
  else err(renderFailure({ code: null, message, problems: [], next }, prose));
  return { kind: "ended", status: FAILED_STATUS };
}

function makeDemoDocument({ place, acts, durationMs }: Played, isGood: boolean): object {
  return {
    ok: isGood,
    folder: place.folder,
    relais: place.wrapper,
    duration_ms: durationMs,
    acts: acts.map(({ id, title, root, outcomes }) => {
      return { id, title, repository: root, steps: outcomes.map(makeStepDocument) };
    }),
  };
}

function makeStepDocument(outcome: DemoOutcome): object {
  const { step, ran, claims, isAsExpected } = outcome;
  return {
    id: step.id,
    title: step.title,
    ...(step.about === undefined ? {} : { about: step.about }),
    ...makeTickDocument(outcome),
    commands: ran.map(({ line, end, stdout, stderr }) => {
      return { line, status: typeof end === "number" ? end : null, stdout, stderr };
    }),
    claims: claims.map(({ words, isTrue }) => ({ claim: words, holds: isTrue })),
    as_told: isAsExpected,
  };
}

/** What a step says besides that is one tick. */
function makeTickDocument({ step, ran, tick }: DemoOutcome): object {
  if (tick === null || step.tick === undefined) return {};
  const { report, before, after, damage, committed } = tick;
  return {
    asked: step.tick.asked,
    did: step.tick.does,
    said: step.tick.says,
    verdict: report.verdict,
    code: report.code,
    cause: report.cause,
    run_id: report.run_id,
    findings: report.findings,
    checks: report.verification.runs,
    salvage: report.pointers.salvage ?? null,
    killed_by: ran.map(({ end }) => end).find((end) => typeof end === "string") ?? null,
    damage,
    head_before: before.head,
    head_after: after.head,
    committed,
    status: after.status,
    is_exact: after.fingerprint.sha256 === before.fingerprint.sha256,
  };
}
