import { resolve } from "node:path";
import { unreachable } from "../../../contract/values/invariant.ts";
import { DEMO_ACTS, type DemoEnd, runDemo } from "../../../run/demo/demo.ts";
import type { Outcome, Piece, SceneOutcome, StepOutcome } from "../../../run/demo/demo-act.ts";
import type { Canvas } from "../../../view/text/canvas.ts";
import { stepEnding, stepOpening } from "../../../view/setup/demo-step-text.ts";
import {
  actOpening,
  demoClosing,
  demoOpening,
  sceneEnding,
  sceneOpening,
} from "../../../view/setup/demo-text.ts";
import { failureText } from "../../../view/cards/failure-text.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import { chooseAction } from "../../answers/run-choice.ts";
import { canvasOf } from "../../framework/session-canvas.ts";
import { tellBlocked } from "../../answers/tick-answer.ts";

/** A demonstration that does not hold is a bug in relais, or a machine that it cannot work on. */
const FAILED_STATUS = 1;
const DOCTOR = "Next: run `relais doctor` to see whether everything is in place.";
const ALL = "all";

/** `relais demo`. */
export const run: RunCommand = async ({ positionals, options }, session) => {
  const choice = chooseAction(positionals, [ALL, ...DEMO_ACTS.map(({ id }) => id)]);
  if (choice.kind === "misused") return choice;
  const into = options.text("into");
  const canvas = canvasOf(session);
  const say = (text: string): void => {
    if (!session.json && session.detail !== "quiet") session.out(text);
  };
  const end = await runDemo({
    acts: DEMO_ACTS.filter(({ id }) => choice.action === ALL || choice.action === id),
    into: into === null ? null : resolve(session.cwd, into),
    environment: session.environment,
    relais: session.relais,
    signal: session.signal,
    onOpening: (place) => say(demoOpening(place, canvas)),
    onAct: (act) => say(actOpening(act, canvas)),
    onPiece: (piece, at) => say(openingOf(piece, at, canvas)),
    onOutcome: (outcome) => say(endingOf(outcome, canvas)),
  });
  if (end.kind === "played") {
    say(demoClosing(end, canvas));
    if (session.detail === "quiet") complain(end, { canvas, session });
  }
  return tell(end, session);
};

function openingOf(piece: Piece, at: number, canvas: Canvas): string {
  return piece.kind === "scene"
    ? sceneOpening({ scene: piece.scene, at }, canvas)
    : stepOpening({ step: piece.step, at }, canvas);
}

function endingOf(outcome: Outcome, canvas: Canvas): string {
  return outcome.kind === "scene" ? sceneEnding(outcome, canvas) : stepEnding(outcome, canvas);
}

type Played = Extract<DemoEnd, { kind: "played" }>;

/** Says only what went wrong. */
function complain({ acts }: Played, { canvas, session }: { canvas: Canvas; session: Session }): void {
  for (const { outcomes } of acts) {
    for (const [index, outcome] of outcomes.entries()) {
      if (!outcome.isAsTold) session.err(openingOf(outcome, index + 1, canvas) + endingOf(outcome, canvas));
    }
  }
}

function tell(end: DemoEnd, session: Session): CommandEnd {
  switch (end.kind) {
    case "refused": {
      const message = `--into needs a folder that is empty or not there yet: ${end.reason}`;
      return { kind: "misused", message, problems: [] };
    }
    case "blocked":
      return tellBlocked(end, session);
    case "stopped":
      return fail(
        { message: "the demonstration was stopped", next: "Its folder is left as it is." },
        session,
      );
    case "failed":
      return fail({ message: `the demonstration could not go on: ${end.message}`, next: DOCTOR }, session);
    case "played": {
      const isGood = end.acts.every(({ outcomes }) => outcomes.every(({ isAsTold }) => isAsTold));
      if (session.json) session.out(`${JSON.stringify(documentOf(end, isGood))}\n`);
      return { kind: "ended", status: isGood ? 0 : FAILED_STATUS };
    }
    default:
      return unreachable(end);
  }
}

function fail(
  { message, next }: { readonly message: string; readonly next: string },
  { json, out, err, style }: Session,
): CommandEnd {
  if (json) out(`${JSON.stringify({ ok: false, message })}\n`);
  else err(failureText({ code: null, message, problems: [], next }, style));
  return { kind: "ended", status: FAILED_STATUS };
}

function documentOf({ place, acts, durationMs }: Played, isGood: boolean): object {
  return {
    ok: isGood,
    folder: place.folder,
    relais: place.wrapper,
    duration_ms: durationMs,
    acts: acts.map(({ id, title, root, outcomes }) => ({
      id,
      title,
      repository: root,
      steps: outcomes.map((outcome) => (outcome.kind === "scene" ? sceneOf(outcome) : stepOf(outcome))),
    })),
  };
}

function stepOf({ step: { id, title, about }, ran, claims, isAsTold }: StepOutcome): object {
  return {
    id,
    title,
    about,
    commands: ran.map(({ line, status, stdout, stderr }) => ({ line, status, stdout, stderr })),
    claims: claims.map(({ words, isTrue }) => ({ claim: words, holds: isTrue })),
    as_told: isAsTold,
  };
}

function sceneOf({
  scene,
  report,
  killedBy,
  damage,
  before,
  after,
  committed,
  isAsTold,
}: SceneOutcome): object {
  return {
    id: scene.id,
    title: scene.title,
    asked: scene.asked,
    did: scene.does,
    said: scene.says,
    verdict: report.verdict,
    code: report.code,
    cause: report.cause,
    run_id: report.run_id,
    findings: report.findings,
    checks: report.verification.runs,
    salvage: report.pointers.salvage ?? null,
    killed_by: killedBy,
    damage,
    head_before: before.head,
    head_after: after.head,
    committed,
    status: after.status,
    is_exact: after.fingerprint.sha256 === before.fingerprint.sha256,
    as_told: isAsTold,
  };
}
