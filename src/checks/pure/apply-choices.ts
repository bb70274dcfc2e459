/**
 * The configuration of one command: the written or found one, with the choices of the command line. The result is a
 * text like a written one, so that a tick records it and its recovery reads it again.
 */
import { type Choices, chooseGlobs, type ChosenAgent } from "../../config/choices.ts";
import type { Config } from "../../config/config.ts";
import { normaliseMode } from "../../config/command-program.ts";
import { listPlainChecks } from "./verification-plan.ts";
import { isRecord } from "../../base/quantity.ts";
import { parseDocument } from "../../base/strict-json.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

interface ReadConfig {
  readonly text: string;
  readonly config: Config;
}

/** Without choices the text stays as it is, byte for byte. */
export function applyChoices({ text, config }: ReadConfig, choices: Choices): string {
  if (Object.keys(choices).length === 0) return text;
  const document = readObject(text);
  const changed = [
    listAgentChanges(document, choices),
    listScopeChanges(config, choices),
    listCheckChanges(config, choices),
  ];
  return `${JSON.stringify(changed.reduce(mergeDocuments, document), null, 2)}\n`;
}

/** One of several attempts: its series may spend its share, and Claude Code ends a session that exceeds it. */
export function lowerMoneyCaps({ text, config }: ReadConfig, dollars: number): string {
  const lower = (cap: number | null): number => Math.min(cap ?? dollars, dollars);
  const changes = {
    budgets: { per_run: { max_estimated_cost_usd: lower(config.budgets.per_run.max_estimated_cost_usd) } },
    builder: { claude_code: { max_budget_usd: lower(config.builder.claude_code.max_budget_usd) } },
  };
  return `${JSON.stringify(mergeDocuments(readObject(text), changes), null, 2)}\n`;
}

/**
 * The text with the checks and the scope that relais finds, where it names none: the defaults fit only some projects,
 * and a person who wrote one key did not mean to lose them.
 */
export function fillGaps(text: string, foundText: string): string {
  const [document, found] = [readObject(text), readObject(foundText)];
  const filled = listGaps(document).flatMap(([section, key]) => {
    const value = readSection(found, section)[key];
    return value === undefined ? [] : [{ [section]: { [key]: value } }];
  });
  if (filled.length === 0) return text;
  return `${JSON.stringify(filled.reduce<JsonRecord>(mergeDocuments, document), null, 2)}\n`;
}

const FOUND_KEYS = [
  ["scope", "default_allowed_globs"],
  ["verification", "templates"],
] as const;

export function hasGaps(text: string): boolean {
  return listGaps(readObject(text)).length > 0;
}

function listGaps(document: JsonRecord): (typeof FOUND_KEYS)[number][] {
  return FOUND_KEYS.filter(([section, key]) => readSection(document, section)[key] === undefined);
}

function readSection(document: JsonRecord, section: string): JsonRecord {
  const value = document[section];
  return isRecord(value) ? value : {};
}

/** What the text itself says about new files; null where it leaves that to a default. */
export function findNewFilesRule(text: string): boolean | null {
  const rule = readSection(readObject(text), "scope")["default_allow_new_files"];
  return typeof rule === "boolean" ? rule : null;
}

/** The checks that the text itself requires. */
export function listRequiredIn(text: string): readonly string[] {
  const required = readSection(readObject(text), "verification")["required"];
  return Array.isArray(required) ? required.filter((id) => typeof id === "string") : [];
}

/** Whether the text itself says who builds: a default is no choice of a person. */
export function namesAgent(text: string): boolean {
  return findNamedAgent(readObject(text)) !== null;
}

function readObject(text: string): JsonRecord {
  const parsed = parseDocument(new TextEncoder().encode(text));
  return parsed.kind === "document" ? parsed.value : {};
}

function findNamedAgent(document: JsonRecord): string | null {
  const driver = findText(document, ["roles", "builder", "driver"]);
  const mode = findText(document, ["builder", "default_mode"]);
  return driver ?? (mode === null ? null : normaliseMode(mode));
}

function findText(document: unknown, [first, ...rest]: readonly string[]): string | null {
  if (first === undefined) return typeof document === "string" ? document : null;
  return isRecord(document) ? findText(document[first], rest) : null;
}

/** Settings in the words of one program are not handed to another one. */
const OTHER_WORDS = { model: undefined, fallback_models: undefined, effort: undefined } as const;

function listAgentChanges(document: JsonRecord, { agent, model }: Choices): JsonRecord {
  const builder = {
    ...(agent === undefined ? {} : describeAgent(document, agent)),
    ...(model === undefined ? {} : { model }),
  };
  const isPlannerNamed = findText(document, ["roles", "orchestrator", "driver"]) !== null;
  const orchestrator = agent === undefined || isPlannerNamed ? {} : { driver: agent };
  return { roles: { builder, orchestrator } };
}

function describeAgent(document: JsonRecord, agent: ChosenAgent): JsonRecord {
  const isOther = (findNamedAgent(document) ?? "claude_code") !== agent;
  return { driver: agent, ...(isOther ? OTHER_WORDS : {}) };
}

/** A workflow with a scope of its own gets the same limits. */
function listScopeChanges(config: Config, choices: Choices): JsonRecord {
  const { allow, only, max_lines, new_files, ask, commit, sandbox } = choices;
  const isSame = allow === undefined && only === undefined;
  const choose = (usual: readonly string[]) => (isSame ? undefined : chooseGlobs(usual, choices));
  const change = ({ scope }: Pick<Config["goal"], "scope">) => ({
    scope: { allowed_globs: choose(scope.allowed_globs), allow_new_files: new_files },
    diff_limits: { max_lines_changed: max_lines },
  });
  return dropUnset({
    settle: ask === true ? "ask" : undefined,
    git: { commit: commit === true ? "always" : undefined },
    sandbox,
    scope: {
      default_allowed_globs: choose(config.scope.default_allowed_globs),
      default_allow_new_files: new_files,
    },
    diff_limits: { default_max_lines_changed: max_lines },
    tree: change(config.tree),
    goal: change(config.goal),
    campaign: change(config.campaign),
  });
}

/** A goal runs the named checks in each turn; a tree has one guard. They are what is required, and nothing else is. */
function listCheckChanges({ verification }: Config, { checks }: Choices): JsonRecord {
  if (checks === undefined) return {};
  const first = verification.templates.find(({ id }) => id === checks[0]);
  const plain = listPlainChecks(verification);
  return {
    verification: { required: checks.filter((id) => plain.includes(id)) },
    goal: { checks },
    ...(first === undefined ? {} : { tree: { guard: [first.cmd, ...first.args] } }),
  };
}

function dropUnset(record: JsonRecord): JsonRecord {
  const kept = Object.entries(record)
    .map(([key, value]) => [key, isRecord(value) ? dropUnset(value) : value] as const)
    .filter(([, value]) => value !== undefined && !(isRecord(value) && Object.keys(value).length === 0));
  return Object.fromEntries(kept);
}

/** A value that is undefined removes the key. */
function mergeDocuments(document: JsonRecord, changes: JsonRecord): JsonRecord {
  const merged = new Map(Object.entries(document));
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) merged.delete(key);
    else if (!isRecord(value)) merged.set(key, value);
    else {
      const old = merged.get(key);
      const inner = mergeDocuments(isRecord(old) ? old : {}, value);
      if (old !== undefined || Object.keys(inner).length > 0) merged.set(key, inner);
    }
  }
  return Object.fromEntries(merged);
}
