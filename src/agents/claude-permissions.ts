/**
 * Which tools a session has, and where it may write with them, in the rules of Claude Code.
 *
 * A list of allowed tools takes none away, so the tools are restricted by one option and allowed by another. Only a
 * rule about `Edit` binds the tools that write, `Write` among them. Its pattern is one of gitignore, so globs are
 * rewritten where the two differ, and anchored at the root of the file system, because a single slash counts from
 * wherever the settings came. Where a glob cannot be expressed, a rule may be wider: the change is judged afterwards in
 * any case.
 */
import type { SessionScope } from "./driver.ts";

const WRITING = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
const EXPANSIONS_MAX = 64;

interface PermissionRequest {
  /** As the configuration has it: names, perhaps with a rule in parentheses, separated by commas. */
  readonly tools: string;
  readonly cwd: string;
  readonly drop: string;
  readonly scope: SessionScope | null;
}

export interface ClaudePermissions {
  /** Separated by commas; empty is none. */
  readonly tools: string;
  readonly rules: { readonly allow: readonly string[]; readonly deny: readonly string[] };
}

export function makeClaudePermissions({ tools, cwd, drop, scope }: PermissionRequest): ClaudePermissions {
  const entries = splitTools(tools);
  const names = [...new Set(entries.map(dropRule))];
  const writes = entries.some((entry) => WRITING.has(entry));
  const rules = { allow: entries.filter((entry) => !WRITING.has(entry)), deny: [] };
  if (!writes) return { tools: names.join(","), rules };
  const { allow, deny } = makeWriteRules(cwd, scope);
  return {
    tools: names.join(","),
    rules: { allow: [...rules.allow, ...allow, ...makeEditRules(drop, ["**"])], deny },
  };
}

/** All rules go into one argument, whose length has a limit; beyond it the whole folder is open to the tools. */
const RULES_CHARS_MAX = 60_000;

function makeWriteRules(cwd: string, scope: SessionScope | null): ClaudePermissions["rules"] {
  const allow = (scope?.allowed ?? []).flatMap((glob) => makeEditRules(cwd, expandBraces(glob) ?? ["**"]));
  const deny = (scope?.forbidden ?? []).flatMap((glob) => makeEditRules(cwd, expandBraces(glob) ?? []));
  const isLong = [...allow, ...deny].join("").length > RULES_CHARS_MAX;
  return isLong ? { allow: makeEditRules(cwd, ["**"]), deny: [] } : { allow, deny };
}

/**
 * The configured tools as far as a session may use them. Narrowing can remove tools and bind one with a rule; it grants
 * nothing new. A rule for a writing tool is ignored: the scope decides where it may write.
 */
export function narrowTools(tools: string, allowed: readonly string[] | null): string {
  if (allowed === null) return tools;
  const granted = splitTools(tools);
  const wanted = allowed.map((entry) => (WRITING.has(dropRule(entry)) ? dropRule(entry) : entry));
  const bound = wanted.filter((entry) => granted.includes(entry) || granted.includes(dropRule(entry)));
  const kept = granted.filter((entry) => wanted.includes(dropRule(entry)));
  return [...new Set([...kept, ...bound])].join(",");
}

/** Cut at commas outside of parentheses, as the program itself does it. */
function splitTools(list: string): readonly string[] {
  const entries: string[] = [];
  let entry = "";
  let depth = 0;
  for (const character of list) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth <= 0) {
      entries.push(entry);
      entry = "";
    } else entry += character;
  }
  return [...entries, entry].map((one) => one.trim()).filter((one) => one !== "");
}

const dropRule = (entry: string): string => entry.split("(", 1)[0] ?? entry;

function makeEditRules(folder: string, globs: readonly string[]): readonly string[] {
  const patterns = globs.flatMap(toGitignore);
  return patterns.map((pattern) => `Edit(${escapeRule(`/${escapePath(folder)}/${pattern}`)})`);
}

const CONTROL = /\p{Cc}/gu;
const INNERMOST = /\{(?<choices>[^{}]*,[^{}]*)\}/u;

/** Braces are not known there, so every choice becomes a rule; null where there are too many of them. */
function expandBraces(glob: string): readonly string[] | null {
  let globs: readonly string[] = [glob];
  for (let at = 0; at < EXPANSIONS_MAX; at += 1) {
    if (!globs.some((one) => INNERMOST.test(one))) return globs;
    globs = globs.flatMap((one) => {
      const choices = INNERMOST.exec(one)?.groups?.["choices"];
      return choices === undefined ? [one] : choices.split(",").map((choice) => one.replace(INNERMOST, () => choice));
    });
    if (globs.length > EXPANSIONS_MAX) return null;
  }
  return null;
}

/** A bracket may open a class or be part of a name, so both are allowed. A backslash is nothing but itself. */
function toGitignore(glob: string): readonly string[] {
  const text = glob.replaceAll("\\", "\\\\").replaceAll(CONTROL, "?");
  const asName = text.replaceAll(/[[\]]/gu, "\\$&");
  return (asName === text ? [text] : [text, asName]).map((pattern) => pattern.replace(/ $/u, "\\ "));
}

/** A line break would begin another pattern, so it is a wildcard; so is a question mark, which cannot be escaped. */
function escapePath(path: string): string {
  return path.replaceAll(/[\\*[\]]/gu, "\\$&").replaceAll(CONTROL, "?");
}

/** The rule ends at the last parenthesis that is not escaped. */
function escapeRule(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("(", "\\(").replaceAll(")", "\\)");
}
