import * as v from "valibot";
import { Count, Dollars } from "../base/quantity.ts";

export const Role = v.picklist(["orchestrator", "builder", "reviewer", "verifier"]);

/** What turns a role's request into a finished session. `cursor` is the older name of `command`. */
export const DriverName = v.picklist(["claude_code", "codex", "command", "patch", "scripted"]);

export const WorkflowName = v.picklist(["relay", "tree", "goal", "campaign"]);

/** Where a tick worked, once `auto` is decided. */
export const IsolationUsed = v.picklist(["in_place", "overlay", "clone"]);

/** What kept the builder's writing inside, once `auto` is decided. */
export const SandboxUsed = v.picklist(["none", "bubblewrap", "seatbelt", "codex", "claude_code"]);

/** As the agent's program reported it; null is "not reported". */
export const Usage = v.strictObject({
  input_tokens: v.nullable(Count),
  cached_input_tokens: v.nullable(Count),
  output_tokens: v.nullable(Count),
  cost_usd: v.nullable(Dollars),
});
