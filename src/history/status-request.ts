import type { ScriptPlayer } from "../agents/scripted.ts";
import type { WorkspaceRequest } from "../workspace/workspace.ts";

export interface StatusRequest extends WorkspaceRequest {
  readonly withPreflight: boolean;
  readonly player: ScriptPlayer;
}
