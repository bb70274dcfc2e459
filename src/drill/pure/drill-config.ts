import { isRecord } from "../../base/quantity.ts";
import { DRILL_CHECKS, DRILL_VARIABLES } from "./drill-stage.ts";
import type { DrillPlace, DrillRemedy } from "./drill-result.ts";
import type { HostileBuilder } from "./hostile-builder.ts";

/** One document over another: objects are joined key by key, everything else is replaced, `undefined` removes a key. */
export function layOver(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  const names = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      if (!Object.hasOwn(over, name)) return [[name, base[name]] as const];
      return over[name] === undefined ? [] : [[name, layOver(base[name], over[name])] as const];
    }),
  );
}

/** The configuration of a drill: the user's own, with everything replaced that would start a program of theirs. */

/** What decides what a builder can do and what happens to it. Everything else has its default. */
const KEPT = [
  "sandbox",
  "sandbox_hidden",
  "network",
  "network_hosts",
  "network_registries",
  "ignored",
  "ignored_writable_globs",
  "scope",
  "diff_limits",
  "verification",
  "git",
  "env",
  "runner.max_tick_seconds",
  "runner.max_new_files",
  "runner.max_new_mb",
  "runner.runner_owned_globs",
  "builder.claude_code.strict_builder_json",
] as const;

/** Part of the section above, and programs of the user. */
const DROPPED = ["verification.templates", "verification.setup", "verification.held_out"] as const;

/** Keys that choose what is stopped. What gets through is tried again with another value of one of them. */
const POLICIES = [
  "sandbox",
  "ignored",
  "ignored_writable_globs",
  "scope.default_forbidden_globs",
  "scope.default_allow_new_files",
  "scope.default_allow_lockfile_changes",
  "scope.lockfiles",
  "diff_limits",
  "verification.oracle",
  "verification.oracle_globs",
  "verification.scratch_globs",
  "verification.rules",
  "verification.baseline",
  "verification.inherited",
  "runner.runner_owned_globs",
  "git.commit",
  "git.hooks",
  "builder.claude_code.strict_builder_json",
] as const;

interface DrillConfigRequest {
  /** As the user's file has it. */
  readonly own: unknown;
  readonly builder: HostileBuilder;
  readonly place: DrillPlace;
  readonly command: { readonly command: string; readonly args: readonly string[] };
  readonly remedy: DrillRemedy | null;
}

export function makeDrillConfig({ own, builder, place, command, remedy }: DrillConfigRequest): unknown {
  const kept = KEPT.reduce<unknown>((config, key) => layOver(config, pick(own, key)), {});
  const bare = DROPPED.reduce<unknown>((config, key) => layOver(config, nest(key, undefined)), kept);
  const fixed = {
    builder: { default_mode: "command", command },
    env: { agents: addVariables(read(own, "env.agents")), checks: addVariables(read(own, "env.checks")) },
    verification: { templates: DRILL_CHECKS },
  };
  const parameters = POLICIES.reduce<unknown>((config, key) => layOver(config, nest(key, undefined)), builder.config);
  const whole = [fixed, parameters, { isolation: place }].reduce<unknown>(layOver, bare);
  return remedy === null ? whole : layOver(whole, nest(remedy.key, remedy.value));
}

const addVariables = (own: unknown): readonly unknown[] => [...(Array.isArray(own) ? own : []), ...DRILL_VARIABLES];

/** The settings that may stop it, the builder's own first: each differs from the user's. */
export function listRemedies(own: unknown, builder: HostileBuilder): readonly DrillRemedy[] {
  const named = POLICIES.flatMap((key) => {
    const value = read(builder.config, key);
    return value === undefined || JSON.stringify(value) === JSON.stringify(read(own, key)) ? [] : [{ key, value }];
  });
  const defaults = POLICIES.flatMap((key) => (read(own, key) === undefined ? [] : [{ key }]));
  return [...named, ...defaults];
}

/** Only in place, if its own settings say so: its limits are those of the working tree. */
export function mayWorkIn(builder: HostileBuilder, place: DrillPlace): boolean {
  const isolation = read(builder.config, "isolation");
  return isolation === undefined || isolation === place;
}

function pick(document: unknown, key: string): unknown {
  const value = read(document, key);
  return value === undefined ? {} : nest(key, value);
}

function read(document: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), document);
}

function nest(key: string, value: unknown): unknown {
  return key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}
