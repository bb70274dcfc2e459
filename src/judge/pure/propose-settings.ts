/**
 * Which settings would have let honest work of a repository pass. Only what a person may set freely is proposed: rules of
 * text, limits and the scope. What is measured, and what is protected, stays as it is.
 */
import { CheckRule } from "../../base/check-rules.ts";
import * as v from "valibot";
import { validateGlob } from "../../base/glob-validity.ts";
import type { JudgedCommit } from "../../records/judgement.ts";
import type { Rules } from "../../records/evidence.ts";
import { countRules, type RuleRate } from "./judged-rates.ts";

export interface ProposedSetting {
  /** The keys that lead to it in the configuration. */
  readonly path: readonly string[];
  readonly value: string | number | boolean | readonly string[];
  /** The rule that it is for. */
  readonly rule: string;
  readonly changes: number;
}

/** A rule that stopped a larger part of the work is in its way. */
const PART_MAX = 0.02;
/** Fewer changes may be an accident. */
const CHANGES_MIN = 3;

type Rulebook = Pick<Rules, "allowed_globs" | "max_files_touched" | "max_lines_changed">;

export function proposeSettings(judged: readonly JudgedCommit[], rules: Rulebook): readonly ProposedSetting[] {
  return countRules(judged)
    .filter(({ changes }) => changes >= CHANGES_MIN && changes > judged.length * PART_MAX)
    .flatMap((rate) =>
      chooseSettings(rate, judged, rules).map((setting) => ({ ...setting, rule: rate.rule, changes: rate.changes })),
    );
}

type Setting = Pick<ProposedSetting, "path" | "value">;

function chooseSettings(rate: RuleRate, judged: readonly JudgedCommit[], rules: Rulebook): readonly Setting[] {
  const own = judged.filter(({ places }) => places.some(({ rule }) => rule === rate.rule));
  switch (rate.rule) {
    case "allowed-scope":
      return [{ path: ["scope", "default_allowed_globs"], value: widenScope(own, rules.allowed_globs) }];
    case "new-files":
      return [{ path: ["scope", "default_allow_new_files"], value: true }];
    case "lockfiles":
      return [{ path: ["scope", "default_allow_lockfile_changes"], value: true }];
    case "diff-size":
      return [
        ...raise(
          ["diff_limits", "default_max_files_touched"],
          rules.max_files_touched,
          judged.map(({ files }) => files),
        ),
        ...raise(
          ["diff_limits", "default_max_lines_changed"],
          rules.max_lines_changed,
          judged.map(({ lines }) => lines),
        ),
      ];
    default: {
      const rule = rate.rule.replaceAll("-", "_");
      const isOfText = rate.strength === "held" && v.is(CheckRule, rule);
      return isOfText ? [{ path: ["verification", "rules", rule], value: "note" }] : [];
    }
  }
}

/** No scope lets these pass. */
const CLOSED: readonly string[] = ["forbidden-scope", "runner-owned"];

/** The folders at the top that the work changed, and its files at the root. */
function widenScope(judged: readonly JudgedCommit[], allowed: readonly string[]): readonly string[] {
  const outside = judged.flatMap(({ places }) => {
    const closed = listSubjects(places, CLOSED);
    return listSubjects(places, ["allowed-scope"]).filter((path) => !closed.includes(path));
  });
  const globs = outside.map((path) => (path.includes("/") ? `${path.slice(0, path.indexOf("/"))}/**` : path));
  const usable = [...new Set(globs)].filter((glob) => validateGlob(glob) === null);
  return [...allowed, ...usable.toSorted()];
}

function listSubjects(places: JudgedCommit["places"], rules: readonly string[]): readonly string[] {
  return places.filter(({ rule }) => rules.includes(rule)).map(({ subject }) => subject);
}

/** To two digits, so that all but the largest changes fit. */
function raise(path: readonly string[], cap: number | null, sizes: readonly number[]): readonly Setting[] {
  const size = sizes.toSorted((one, other) => one - other)[Math.ceil(sizes.length * (1 - PART_MAX)) - 1] ?? 0;
  if (cap === null || size <= cap) return [];
  const step = 10 ** Math.max(0, String(size).length - 2);
  return [{ path, value: Math.ceil(size / step) * step }];
}

/** Without a configuration, one that says what is built in, as far as keys can say it. */
const BUILT_IN = JSON.stringify(
  {
    scope: {
      default_allowed_globs: ["**"],
      default_allow_new_files: true,
      default_allow_lockfile_changes: true,
    },
    diff_limits: { default_max_files_touched: 1_000_000, default_max_lines_changed: 1_000_000_000 },
  },
  null,
  2,
);

/** The text of the configuration with these settings; null stands for none. */
export function applySettings(text: string | null, settings: readonly Setting[]): string {
  return settings.reduce((known, { path, value }) => setJsonValue(known, path, value), text ?? `${BUILT_IN}\n`);
}

/** One value in the text of a JSON document changes, and every other character stays as a person wrote it. */

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The text must be JSON with an object at the top. A missing object on the way is made. */
function setJsonValue(text: string, path: readonly string[], value: Json): string {
  let object = findValue(text, 0);
  for (const [depth, key] of path.entries()) {
    const members = listMembers(text, object.start);
    const member = members.find(({ name }) => name === key);
    if (member === undefined) return insertMember(text, { object, members, depth }, nest(path.slice(depth), value));
    if (depth === path.length - 1) return replaceSpan(text, member.value, writeValue(value, depth + 1));
    object = member.value;
    if (text[object.start] !== "{")
      return replaceSpan(text, object, writeValue(nest(path.slice(depth + 1), value), depth + 1));
  }
  return text;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Member {
  readonly name: string;
  readonly value: Span;
}

const INDENT = "  ";

function nest(path: readonly string[], value: Json): { readonly [key: string]: Json } {
  return path
    .toReversed()
    .reduce<{ readonly [key: string]: Json }>((inner, key, at) => ({ [key]: at === 0 ? value : inner }), {});
}

function writeValue(value: Json, depth: number): string {
  return JSON.stringify(value, null, INDENT.length).replaceAll("\n", `\n${INDENT.repeat(depth)}`);
}

interface Place {
  readonly object: Span;
  readonly members: readonly Member[];
  readonly depth: number;
}

function insertMember(
  text: string,
  { object, members, depth }: Place,
  added: { readonly [key: string]: Json },
): string {
  const inner = writeValue(added, depth).slice(1, -1).trim();
  const last = members.at(-1);
  const lead = `\n${INDENT.repeat(depth + 1)}${inner}`;
  if (last !== undefined) return replaceSpan(text, { start: last.value.end, end: last.value.end }, `,${lead}`);
  return replaceSpan(text, object, `{${lead}\n${INDENT.repeat(depth)}}`);
}

function replaceSpan(text: string, { start, end }: Span, replacement: string): string {
  return `${text.slice(0, start)}${replacement}${text.slice(end)}`;
}

const SPACE = /\s*/uy;
const STRING = /"(?:[^"\\]|\\.)*"/uy;
/** A name, a sign or a scalar: whatever is neither space nor part of a string. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/uy;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Where a value begins and ends. The text was parsed before, so it is whole. */
function findValue(text: string, at: number): Span {
  const start = skip(SPACE, text, at);
  let [end, depth] = [start, 0];
  do {
    end = skip(TOKEN, text, skip(SPACE, text, end));
    depth += DEPTHS[text[end - 1] ?? ""] ?? 0;
  } while (depth > 0 && end < text.length);
  return { start, end };
}

/** A string ends with a quote, so that a bracket at the end of a token is one of the document. */
const DEPTHS: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };

function listMembers(text: string, start: number): readonly Member[] {
  const members: Member[] = [];
  for (let at = skip(SPACE, text, start + 1); text[at] === '"';) {
    const end = skip(STRING, text, at);
    const name: unknown = JSON.parse(text.slice(at, end));
    const value = findValue(text, skip(SPACE, text, end) + 1);
    if (typeof name === "string") members.push({ name, value });
    const comma = skip(SPACE, text, value.end);
    if (text[comma] !== ",") break;
    at = skip(SPACE, text, comma + 1);
  }
  return members;
}

const CONTEXT = 3;

type Step = readonly [sign: " " | "-" | "+", line: string];

export function writeDifference(
  path: string /** Null for a file that is not there. */,
  before: string | null,
  after: string,
): string {
  const steps = compareLines(splitText(before ?? ""), splitText(after));
  const hunks = listHunks(steps).map((hunk) => writeHunk(steps, hunk));
  if (hunks.length === 0) return "";
  return [`--- ${before === null ? "/dev/null" : `a/${path}`}`, `+++ b/${path}`, ...hunks, ""].join("\n");
}

/** Each line with its end, so that a missing one at the end of the text is a difference. */
function splitText(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

/** By the longest list of lines that both have. */
function compareLines(before: readonly string[], after: readonly string[]): readonly Step[] {
  const chooseSign = makeChoice(before, after);
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const sign = chooseSign(i, j);
    steps.push([sign, (sign === "+" ? after[j] : before[i]) ?? ""]);
    if (sign !== "+") i += 1;
    if (sign !== "-") j += 1;
  }
  return steps;
}

function makeChoice(before: readonly string[], after: readonly string[]): (i: number, j: number) => Step[0] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const read = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        before[i] === after[j] ? read(i + 1, j + 1) + 1 : Math.max(read(i + 1, j), read(i, j + 1));
  return (i, j) => {
    if (before[i] === after[j]) return " ";
    if (i === before.length || j === after.length) return j === after.length ? "-" : "+";
    return read(i + 1, j) >= read(i, j + 1) ? "-" : "+";
  };
}

interface Hunk {
  readonly start: number;
  readonly end: number;
}

function listHunks(steps: readonly Step[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const [at, [sign]] of steps.entries()) {
    if (sign === " ") continue;
    const last = hunks.at(-1);
    const start = Math.max(0, at - CONTEXT);
    const end = Math.min(steps.length, at + CONTEXT + 1);
    if (last !== undefined && start <= last.end) hunks.splice(-1, 1, { start: last.start, end });
    else hunks.push({ start, end });
  }
  return hunks;
}

function writeHunk(steps: readonly Step[], { start, end }: Hunk): string {
  const lines = steps.slice(start, end);
  const describe = (other: Step[0]): string => {
    const isOwn = ([sign]: Step): boolean => sign !== other;
    const count = lines.filter(isOwn).length;
    const before = steps.slice(0, start).filter(isOwn).length;
    return `${count === 0 ? before : before + 1},${count}`;
  };
  const texts = lines.map(([sign, line]) =>
    line.endsWith("\n") ? `${sign}${line.slice(0, -1)}` : `${sign}${line}\n\\ No newline at end of file`,
  );
  return [`@@ -${describe("+")} +${describe("-")} @@`, ...texts].join("\n");
}
