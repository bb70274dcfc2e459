/** Who plays which role, and within which limits. */
import * as v from "valibot";
import { Seconds } from "../values/quantity.ts";
import { Model, Turns } from "./agents.ts";
import { openKey } from "./key.ts";

/** What a builder of a single task has where nobody set a number: more than honest work takes, and still an end. */
export const RELAY_TURNS = 200;

const RoleDriver = v.picklist(["claude_code", "codex", "command", "scripted"]);

const Fallback = v.strictObject({
  driver: v.pipe(RoleDriver, v.description("Who works instead.")),
  model: openKey(Model, "Its model; absent is the usual one of that program."),
});

/** What is set here wins over `models` and the keys of the role's own section; what is absent leaves them. */
const RoleSettings = v.strictObject({
  driver: openKey(
    RoleDriver,
    "Who plays this role; `command` is the program of `cursor`. Absent: the builder's own; for planning, Claude Code.",
  ),
  model: openKey(Model, "The model of this role."),
  fallback_models: openKey(
    v.pipe(v.array(Model), v.maxLength(8)),
    "Models for when that one is overloaded or not there; Claude Code only.",
  ),
  fallbacks: openKey(
    v.pipe(v.array(Fallback), v.maxLength(4)),
    "Who works instead, in this order, when an agent is out of quota; each session counts in the budgets.",
  ),
  effort: openKey(
    v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
    "How hard it is to think, in the words of the program.",
  ),
  timeout_seconds: openKey(Seconds, "How long a session may take."),
  idle_timeout_seconds: openKey(Seconds, "How long a session may print nothing."),
  max_turns: openKey(
    Turns,
    `How many turns a session has; an orchestrator's task may ask for fewer. Absent: ${RELAY_TURNS} for a builder in \`run\` and \`loop\`; otherwise no limit but time and money. Claude Code is told, the turns of Codex are counted, a \`command\` finds the number in RELAIS_MAX_TURNS.`,
  ),
});

export const Roles = v.strictObject({
  orchestrator: v.exactOptional(RoleSettings, {}),
  builder: v.exactOptional(RoleSettings, {}),
  reviewer: v.exactOptional(RoleSettings, {}),
  verifier: v.exactOptional(RoleSettings, {}),
});
