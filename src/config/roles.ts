import * as v from "valibot";
import { Seconds } from "../base/quantity.ts";
import { Model, Turns } from "./agents.ts";
import { openKey } from "./key.ts";

/** The default for a single task: more than honest work takes, and still a limit. */
export const RELAY_TURNS = 200;

const RoleDriver = v.picklist(["claude_code", "codex", "command", "scripted"]);

/** Another agent for a role. */
export const AgentChoice = v.strictObject({
  driver: v.pipe(RoleDriver, v.description("Driver to use instead.")),
  model: openKey(Model, "Its model. Default: the program's usual model."),
});
export type AgentChoice = v.InferOutput<typeof AgentChoice>;

/** These win over `models` and over the keys of the role's own section. */
const RoleSettings = v.strictObject({
  driver: openKey(
    RoleDriver,
    "The agent for this role; `command` is the program in `builder.command`. Default: the builder's driver; for planning, Claude Code.",
  ),
  model: openKey(Model, "Model of this role."),
  fallback_models: openKey(
    v.pipe(v.array(Model), v.maxLength(8)),
    "Fallback models if it is overloaded or missing; Claude Code only.",
  ),
  fallbacks: openKey(
    v.pipe(v.array(AgentChoice), v.maxLength(4)),
    "Agents to use, in this order, when one is out of quota. Each session counts in the budgets.",
  ),
  effort: openKey(v.pipe(v.string(), v.minLength(1), v.maxLength(40)), "Effort level, in the program's own words."),
  timeout_seconds: openKey(Seconds, "Time limit of a session."),
  idle_timeout_seconds: openKey(Seconds, "Time limit without output."),
  max_turns: openKey(
    Turns,
    `Most turns of a session. Default: ${RELAY_TURNS} for a builder in \`run\` and \`loop\`, otherwise no limit. A \`command\` reads RELAIS_MAX_TURNS.`,
  ),
});

export const Roles = v.strictObject({
  orchestrator: v.exactOptional(RoleSettings, {}),
  builder: v.exactOptional(RoleSettings, {}),
  reviewer: v.exactOptional(RoleSettings, {}),
  verifier: v.exactOptional(RoleSettings, {}),
});
