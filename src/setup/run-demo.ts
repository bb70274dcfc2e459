/** `relais demo`: the acts of the demonstration on sample repositories, played by the real executable. */
import { join } from "node:path";
import type { DemoAct, DemoOutcome } from "../records/demo.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { readClockMs } from "../system/clock.ts";
import type { NotReady } from "../records/command-failure.ts";
import { explainUnusableGit } from "../workspace/usable-git.ts";
import { openTheatre, type DemoStageRequest } from "./demo-stage.ts";
import { type Audience, playAct } from "./play-act.ts";

export interface DemoRequest extends DemoStageRequest, Audience {
  readonly acts: readonly DemoAct[];
  readonly onOpening: (place: DemoPlace) => void;
  readonly onAct: (act: PlayedAct) => void;
}

interface DemoPlace {
  readonly folder: string;
  readonly wrapper: string;
}

interface PlayedAct extends Pick<DemoAct, "id" | "title" | "about" | "next"> {
  readonly root: string;
}

export type DemoEnd =
  | {
      readonly kind: "played";
      readonly place: DemoPlace;
      readonly acts: readonly (PlayedAct & { readonly outcomes: readonly DemoOutcome[] })[];
      readonly durationMs: number;
    }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly message: string }
  | NotReady
  | { readonly kind: "stopped" };

/** The folder stays for inspection. */
export async function runDemo(request: DemoRequest): Promise<DemoEnd> {
  try {
    return await play(request);
  } catch (error) {
    if (request.signal.aborted) return { kind: "stopped" };
    if (error instanceof MeasurementError) return { kind: "failed", message: error.message };
    throw error;
  }
}

async function play(request: DemoRequest): Promise<DemoEnd> {
  const began = readClockMs();
  // Before the folder is made, which stays otherwise.
  const unusable = await explainUnusableGit("/", request.environment);
  if (unusable !== null) return unusable;
  const theatre = await openTheatre(request);
  if (theatre.kind === "refused") return theatre;
  const { folder, wrapper } = theatre;
  request.onOpening({ folder, wrapper });
  const acts = [];
  for (const act of request.acts) {
    const { id, title, about, next, sample } = act;
    const played = { id, title, about, next, root: join(folder, sample.repository) };
    const outcomes: DemoOutcome[] = [];
    request.onAct(played);
    await playAct(act, theatre, {
      onStep: request.onStep,
      onOutcome: (outcome) => {
        outcomes.push(outcome);
        request.onOutcome(outcome);
      },
    });
    acts.push({ ...played, outcomes });
  }
  return { kind: "played", place: { folder, wrapper }, acts, durationMs: readClockMs() - began };
}
