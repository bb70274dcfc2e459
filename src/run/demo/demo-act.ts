/**
 * What an act of the demonstration is: a sample repository, and pieces that are played in it one after the other.
 *
 * Whatever an act shows was measured afterwards, and each piece says whether it came out as it was foretold.
 */
import type { Report } from "../../contract/documents/report.ts";
import type { Scene } from "./demo-scenes.ts";
import type { Look, Theatre } from "./demo-stage.ts";

export interface DemoAct {
  /** What `relais demo` knows it by. */
  readonly id: string;
  readonly title: string;
  /** What is shown, in a few sentences. */
  readonly about: string;
  /** The folder of its repository in that of the demonstration. */
  readonly repository: string;
  /** What to type in that repository afterwards. */
  readonly next: readonly { readonly command: string; readonly explains: string }[];
  readonly play: (theatre: Theatre, audience: Audience) => Promise<void>;
}

/** Told as things happen, so that a person can read along. */
export interface Audience {
  readonly onPiece: (piece: Piece, at: number) => void;
  readonly onOutcome: (outcome: Outcome) => void;
}

export type Piece =
  { readonly kind: "scene"; readonly scene: Scene } | { readonly kind: "step"; readonly step: ActStep };

export type Outcome = SceneOutcome | StepOutcome;

/** How a scene of a single tick came out. */
export interface SceneOutcome {
  readonly kind: "scene";
  readonly scene: Scene;
  readonly report: Report;
  /** The signal that ended relais in the middle; null where nothing did. */
  readonly killedBy: string | null;
  /** What git listed as changed right after the crash. */
  readonly damage: readonly string[];
  readonly before: Look;
  readonly after: Look;
  /** The paths of the commit that a kept change became; null where nothing was kept. */
  readonly committed: readonly string[] | null;
  readonly isAsTold: boolean;
}

/** One piece of an act of commands: what is typed, and what must be true afterwards. */
export interface ActStep {
  readonly id: string;
  readonly title: string;
  /** What happens in it, the builder's doings included. */
  readonly about: string;
  readonly commands: readonly ActCommand[];
  readonly claims: (seen: Seen) => readonly Claim[];
}

export interface ActCommand {
  readonly program: "relais" | "git";
  readonly args: readonly string[];
  /** The exit status that it must have, unless it is 0. A `git` command must succeed. */
  readonly status?: number;
}

/** The repository after a step, by git and the file system alone. */
export interface Seen {
  /** What the commands of the step printed, one text for each. */
  readonly outputs: readonly string[];
  /** The subjects of all commits up to HEAD, oldest first. */
  readonly subjects: readonly string[];
  /** What `git status` lists. */
  readonly status: readonly string[];
  readonly read: (path: string) => string | null;
}

/** Something that was foretold, and whether it came true. */
export interface Claim {
  readonly words: string;
  readonly isTrue: boolean;
}

/** How a step of commands came out. */
export interface StepOutcome {
  readonly kind: "step";
  readonly step: ActStep;
  readonly ran: readonly RanCommand[];
  readonly claims: readonly Claim[];
  readonly isAsTold: boolean;
}

export interface RanCommand {
  /** As a person would type it. */
  readonly line: string;
  readonly status: number | null;
  readonly isAsTold: boolean;
  readonly stdout: string;
  readonly stderr: string;
}
