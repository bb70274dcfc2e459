/**
 * Reads a configuration, with defaults that follow `workspace_dir`: lock, prompts, history and the globs that protect
 * them are in the workspace, so their defaults move with it before the schema fills in the rest.
 */
import * as v from "valibot";
import { Config } from "./config.ts";
import { DEFAULT_WORKSPACE, WorkspaceDir } from "./workspace-path.ts";
import { isRecord } from "../base/quantity.ts";
import { type Parsed, parseWith } from "../base/schema-error.ts";

const SECTIONS_WITH_WORKSPACE_PATHS = ["runner", "orchestrator", "builder", "scope", "history"] as const;

function moveWorkspace(value: unknown, workspace: string): unknown {
  if (typeof value === "string")
    return value.startsWith(`${DEFAULT_WORKSPACE}/`) ? workspace + value.slice(DEFAULT_WORKSPACE.length) : value;
  if (Array.isArray(value)) return value.map((item) => moveWorkspace(item, workspace));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, moveWorkspace(item, workspace)]));
}

/** Adds the defaults of missing keys; given values stay. */
function fillDefaults(given: unknown, defaults: unknown): unknown {
  if (given === undefined) return defaults;
  if (!isRecord(given) || !isRecord(defaults)) return given;
  const lacking = Object.entries(defaults).map(([key, value]) => [
    key,
    fillDefaults(Object.hasOwn(given, key) ? given[key] : undefined, value),
  ]);
  return { ...given, ...Object.fromEntries(lacking) };
}

function withMovedWorkspace(document: unknown): unknown {
  if (!isRecord(document)) return document;
  const workspace = document["workspace_dir"];
  if (!v.is(WorkspaceDir, workspace) || workspace === DEFAULT_WORKSPACE) return document;
  const defaults = v.parse(Config, {});
  const sections = SECTIONS_WITH_WORKSPACE_PATHS.map(
    (name) => [name, moveWorkspace(defaults[name], workspace)] as const,
  );
  return fillDefaults(document, Object.fromEntries(sections));
}

export function parseConfig(document: unknown): Parsed<Config> {
  return parseWith(Config, withMovedWorkspace(document));
}
