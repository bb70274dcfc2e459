/**
 * `relais demo`: the acts of the demonstration on sample repositories, played by the real executable.
 *
 * To add an act, write it into a file of its own and name it in the list below.
 */
import { join } from "node:path";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import type { Audience, DemoAct, Outcome } from "./demo-act.ts";
import { openTheatre, type StageRequest } from "./demo-stage.ts";
import { campaignAct } from "./demo-campaign-act.ts";
import { goalAct } from "./demo-goal-act.ts";
import { tickAct } from "./demo-tick-act.ts";
import { treeAct } from "./demo-tree-act.ts";
import { gitUnusable, type Unready } from "../workspace/ground.ts";

/** Every act, in the order in which they are played. */
export const DEMO_ACTS: readonly DemoAct[] = [tickAct, treeAct, goalAct, campaignAct];

export interface DemoRequest extends StageRequest, Audience {
  readonly acts: readonly DemoAct[];
  readonly onOpening: (place: DemoPlace) => void;
  readonly onAct: (act: PlayedAct) => void;
}

interface DemoPlace {
  readonly folder: string;
  readonly wrapper: string;
}

/** An act, and the root of its repository. */
interface PlayedAct extends Pick<DemoAct, "id" | "title" | "about" | "next"> {
  readonly root: string;
}

export type DemoEnd =
  | {
      readonly kind: "played";
      readonly place: DemoPlace;
      readonly acts: readonly (PlayedAct & { readonly outcomes: readonly Outcome[] })[];
      readonly durationMs: number;
    }
  | { readonly kind: "refused"; readonly reason: string }
  /** Something on this machine is missing or does not answer. */
  | { readonly kind: "failed"; readonly message: string }
  | Unready
  | { readonly kind: "stopped" };

/** Plays the acts and leaves the folder for inspection. */
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
  const began = currentTimeMs();
  // Without git there is nothing to show, and no folder to leave behind.
  const unusable = await gitUnusable("/", request.environment);
  if (unusable !== null) return unusable;
  const theatre = await openTheatre(request);
  if (theatre.kind === "refused") return theatre;
  const { folder, wrapper } = theatre;
  request.onOpening({ folder, wrapper });
  const acts = [];
  for (const { id, title, about, next, repository, play: playAct } of request.acts) {
    const played = { id, title, about, next, root: join(folder, repository) };
    const outcomes: Outcome[] = [];
    request.onAct(played);
    await playAct(theatre, {
      onPiece: request.onPiece,
      onOutcome: (outcome) => {
        outcomes.push(outcome);
        request.onOutcome(outcome);
      },
    });
    acts.push({ ...played, outcomes });
  }
  return { kind: "played", place: { folder, wrapper }, acts, durationMs: currentTimeMs() - began };
}
