/**
 * relais.config.json: every key with its default. An empty object is a whole configuration. No key is ignored: an
 * unsupported value is refused with the reason, an unknown key with the nearest known name.
 */
import * as v from "valibot";
import { Argv } from "../base/argv.ts";
import { Builder, ClaudeCodeCli, Models, Orchestrator } from "./agents.ts";
import { Roles } from "./roles.ts";
import { Budgets } from "./budgets.ts";
import {
  Git,
  Ignored,
  Isolation,
  Network,
  NetworkHosts,
  NetworkRegistries,
  Sandbox,
  SandboxHidden,
} from "./repository.ts";
import { History, JournalSection, Runner } from "./runner.ts";
import { DiffLimits, IgnoredWritableGlobs, Scope } from "./scope.ts";
import { EnvironmentSection, VerificationSection } from "./verification.ts";
import { CampaignSection, GoalSection, Loop, ReviewSection, TreeSection } from "./workflows.ts";
import { DEFAULT_WORKSPACE, WorkspaceDir } from "./workspace-path.ts";
import { Seconds } from "../base/quantity.ts";
import { key } from "./key.ts";

export { CONFIG_NAME } from "./config-name.ts";

export const Config = v.strictObject({
  $schema: v.exactOptional(
    v.pipe(v.string(), v.description("Schema of this file, for your editor. relais does not read it.")),
  ),
  version: key(
    v.literal("1.0", "this relais reads configurations of version 1.0"),
    "Format version of this file.",
    "1.0",
  ),
  product_name: key(
    v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
    "Scope in commit subjects, as in `chore(relais): …`.",
    "relais",
  ),
  workspace_dir: key(WorkspaceDir, "The workspace folder. Default paths inside it move along.", DEFAULT_WORKSPACE),
  runner: v.exactOptional(Runner, {}),
  claude_code_cli: v.exactOptional(ClaudeCodeCli, {}),
  models: v.exactOptional(Models, {}),
  orchestrator: v.exactOptional(Orchestrator, {}),
  builder: v.exactOptional(Builder, {}),
  roles: v.exactOptional(Roles, {}),
  env: v.exactOptional(EnvironmentSection, {}),
  scope: v.exactOptional(Scope, {}),
  diff_limits: v.exactOptional(DiffLimits, {}),
  ignored: Ignored,
  ignored_writable_globs: IgnoredWritableGlobs,
  verification: v.exactOptional(VerificationSection, {}),
  review: v.exactOptional(ReviewSection, {}),
  budgets: v.exactOptional(Budgets, {}),
  history: v.exactOptional(History, {}),
  journal: v.exactOptional(JournalSection, {}),
  git: v.exactOptional(Git, {}),
  settle: key(
    v.picklist(["auto", "ask"]),
    "Who decides about a passing change: `auto` keeps it, `ask` holds it until you accept or reject it. `--ask` does the same once.",
    "auto",
  ),
  ask_timeout_seconds: key(
    Seconds,
    "How long such a change waits. Then it is reverted, kept in salvage, and the end is needs_human.",
    86_400,
  ),
  isolation: Isolation,
  sandbox: Sandbox,
  sandbox_hidden: SandboxHidden,
  network: Network,
  network_hosts: NetworkHosts,
  network_registries: NetworkRegistries,
  loop: v.exactOptional(Loop, {}),
  tree: v.exactOptional(TreeSection, {}),
  goal: v.exactOptional(GoalSection, {}),
  campaign: v.exactOptional(CampaignSection, {}),
  handoff: v.exactOptional(
    v.strictObject({
      command: key(
        v.nullable(Argv),
        "A program and its arguments. It gets a job or a goal that has ended as JSON on standard input, for example to open a pull request; null is off.",
        null,
      ),
    }),
    {},
  ),
  notify: v.exactOptional(
    v.strictObject({
      command: key(
        v.nullable(Argv),
        "A program and its arguments. It gets verdicts and questions as JSON on standard input; null is off.",
        null,
      ),
    }),
    {},
  ),
});
export type Config = v.InferOutput<typeof Config>;

export function makeDefaultConfig(): Config {
  return v.parse(Config, {});
}
