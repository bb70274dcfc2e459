import { resolve } from "node:path";
import { unreachable } from "../contract/invariant.ts";
import { type DemoEnd, runDemo, type SceneOutcome } from "../run/demo.ts";
import type { Canvas } from "../view/canvas.ts";
import { demoClosing, demoOpening, sceneEnding, sceneOpening } from "../view/demo-text.ts";
import { failureText } from "../view/failure-text.ts";
import type { CommandEnd, RunCommand, Session } from "./command.ts";
import { canvasOf } from "./session-canvas.ts";
import { tellBlocked } from "./tick-answer.ts";

/** A demonstration that does not hold is a bug in relais, or a machine that it cannot work on. */
const FAILED_STATUS = 1;
const DOCTOR = "Next: run `relais doctor` to see whether everything is in place.";

/** `relais demo`. */
export const run: RunCommand = async ({ options }, session) => {
  const into = options.text("into");
  const canvas = canvasOf(session);
  const say = (text: string): void => {
    if (!session.json && session.detail !== "quiet") session.out(text);
  };
  const end = await runDemo({
    into: into === null ? null : resolve(session.cwd, into),
    environment: process.env,
    relais: [process.execPath, process.argv[1] ?? ""],
    signal: session.signal,
    onOpening: (place) => say(demoOpening(place, canvas)),
    onScene: (scene, at) => say(sceneOpening({ scene, at }, canvas)),
    onOutcome: (outcome) => say(sceneEnding(outcome, canvas)),
  });
  if (end.kind === "played") {
    say(demoClosing(end, canvas));
    if (session.detail === "quiet") complain(end, { canvas, session });
  }
  return tell(end, session);
};

type Played = Extract<DemoEnd, { kind: "played" }>;

/** Says only what went wrong. */
function complain({ outcomes }: Played, { canvas, session }: { canvas: Canvas; session: Session }): void {
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.isAsTold) continue;
    session.err(sceneOpening({ scene: outcome.scene, at: index + 1 }, canvas) + sceneEnding(outcome, canvas));
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
      const isGood = end.outcomes.every(({ isAsTold }) => isAsTold);
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

function documentOf({ place, outcomes, durationMs }: Played, isGood: boolean): object {
  return {
    ok: isGood,
    folder: place.folder,
    repository: place.root,
    relais: place.wrapper,
    duration_ms: durationMs,
    steps: outcomes.map(stepOf),
  };
}

function stepOf({
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
