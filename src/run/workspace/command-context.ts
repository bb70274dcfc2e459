import type { ScriptPlayer } from "../../agents/scripted.ts";
import type { Report } from "../../contract/documents/report.ts";
import type { LiveListener } from "../../contract/journal/live-event.ts";
import type { WorkspaceRequest } from "./workspace.ts";

/** What a command that runs ticks takes along from its process. */
export interface CommandContext extends WorkspaceRequest {
  readonly relaisVersion: string;
  /** How to start relais itself for a scripted session. */
  readonly player: ScriptPlayer;
  /** How a report reads for a person. Rendering is not the runner's business, so it is handed in. */
  readonly renderReport: (report: Report, maxChars: number) => string;
  /** Shows a person what happens; absent where nobody looks. */
  readonly emit?: LiveListener;
}
