import type { ScriptPlayer } from "../agents/scripted.ts";
import type { AskPerson } from "../records/held-change.ts";
import type { Report } from "../records/report.ts";
import type { LiveListener } from "../records/live-event.ts";
import type { WorkspaceRequest } from "./workspace.ts";

/** `isForPlan` leaves out what the next plan does not need; absent is no. */
export type RenderReport = (
  report: Report,
  options: { readonly maxChars: number; readonly isForPlan?: boolean },
) => string;

export interface CommandContext extends WorkspaceRequest {
  readonly relaisVersion: string;
  /** How to start relais itself for a scripted session. */
  readonly player: ScriptPlayer;
  /** Rendering is not the runner's business, so it is handed in. */
  readonly renderReport: RenderReport;
  readonly emit?: LiveListener;
  /** Shows a change to the person at this terminal; absent or null if there is none. */
  readonly askPerson?: AskPerson | null;
}
