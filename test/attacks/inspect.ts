/** Says what is wrong about the end of a builder's tick; nothing, where everything is as it must be. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { CODES } from "../../src/base/codes.ts";
import { Report } from "../../src/records/report.ts";
import { differences, type Walk } from "../support/walker.ts";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { type Setting, wordsOf } from "./setting.ts";
import { GOOD_TEXT } from "../../src/drill/pure/drill-stage.ts";
import type { Ground } from "./ground.ts";
import { type Ran, type Stage } from "./stage.ts";

export interface Ended {
  readonly builder: HostileBuilder;
  readonly stage: Stage;
  readonly ran: Ran;
  readonly before: Walk;
  readonly setting: Setting;
}

/** The report of the tick that ended last; null where there is none that can be read. */
export function reportOf({ root }: Pick<Stage, "root">): Report | null {
  const path = join(root, "relais/REPORT.json");
  if (!existsSync(path)) return null;
  const parsed = v.safeParse(Report, JSON.parse(readFileSync(path, "utf8")));
  return parsed.success ? parsed.output : null;
}

/** Everything that is not as the builder's comment says, in words. */
export function complaints(ended: Ended): string[] {
  const report = reportOf(ended.stage);
  if (report === null) return [`there is no report: ${ended.ran.stdout}${ended.ran.stderr}`.slice(0, 2000)];
  return [...aboutVerdict(ended, report), ...aboutCard(ended, report), ...aboutFiles(ended)];
}

/** What was done is told line by line, each with its time, where nothing can be drawn. */
const withoutProgress = (stderr: string): string => stderr.replaceAll(/^\d\d:\d\d:\d\d .*\n/gm, "");

function aboutVerdict(ended: Ended, report: Report): string[] {
  const { builder, ran } = ended;
  const { code, cause, findings, notes, message } = report;
  const leftPlace = originalOf(ended);
  const told = findings.map(({ subject, rule }) => `${subject}: ${rule}`);
  const status = builder.recovered !== null ? 0 : CODES[code].exit;
  const complained = builder.recovered !== null ? "" : withoutProgress(ran.stderr);
  return [
    ...unless(builder.expect.includes(code), `it ended as ${code}, ${String(cause)}, ${String(message)}`),
    ...unless(builder.cause === null || cause === builder.cause, `its cause is ${String(cause)}`),
    ...unless(ran.status === status, `the status is ${String(ran.status)}: ${ran.stderr.slice(0, 500)}`),
    ...unless(complained === "", `it complained: ${complained.slice(0, 500)}`),
    ...lacking("finding", builder.finding, told),
    ...lacking("note", builder.note, notes),
    ...(leftPlace.length === 0 ? [] : lacking("note", "changed in your repository meanwhile", notes)),
  ];
}

/** Nothing holds a builder in a clone without a sandbox. */
export function originalOf({ builder, setting }: Pick<Ended, "builder" | "setting">): readonly string[] {
  return setting.isolation === "clone" && setting.sandbox === "off" ? builder.original : [];
}

export function unless(isAsItMustBe: boolean, complaint: string): string[] {
  return isAsItMustBe ? [] : [complaint];
}

function lacking(name: string, words: string | null, texts: readonly string[]): string[] {
  const isThere = words === null || texts.some((text) => text.includes(words));
  return unless(isThere, `no ${name} says "${String(words)}": ${texts.slice(0, 5).join("; ")}`);
}

/** What a terminal would obey, or what would show text in another order than it is written. */
// eslint-disable-next-line no-control-regex -- These are what it is about.
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Whatever a builder did, the card is safe to print and says what held the builder. */
export function aboutCard({ builder, ran, stage, setting }: Ended, report: Report): string[] {
  const page = readFileSync(join(stage.root, "relais/REPORT.md"), "utf8");
  const flat = ran.stdout.replaceAll(/\s+/gu, " ");
  const wrong = [
    ...unless(!CONTROL.test(ran.stdout), "the card holds control characters"),
    ...unless(!CONTROL.test(page), "REPORT.md holds control characters"),
    ...lacking("card", builder.says, [flat]),
  ];
  if (builder.recovered !== null) return wrong;
  wrong.push(...lacking("card", report.code, [flat]));
  if (report.sandbox === null) return wrong;
  const words = wordsOf(setting);
  return [
    ...wrong,
    ...unless(report.isolation === setting.isolation, `the report claims the place ${String(report.isolation)}`),
    ...unless(report.sandbox === words.sandbox, `the report claims the sandbox ${report.sandbox}`),
    ...lacking("card", words.card, [flat]),
    ...lacking("page", words.page, [page]),
  ];
}

/** A relais that was killed could not remove it; it is stale, and the next one takes it over. */
const STALE_LOCK = "relais/lock.json: ";

/** What is different, by the part of the box. */
export interface Seen {
  readonly inside: readonly string[];
  readonly inGit: readonly string[];
  /** By place only: a push, for instance, writes objects with names of their own. */
  readonly outside: readonly string[];
}

export function lookAround({ builder, stage, before }: Ended): Seen {
  const { inside, inGit, outside } = sortByPlace(stage.ground, differences(before, stage.look()));
  const stays = (line: string): boolean => builder.stays.some((part) => line.startsWith(part));
  return {
    inside: builder.recovered === null ? inside : inside.filter((line) => !line.startsWith(STALE_LOCK)),
    inGit: inGit.filter((line) => !stays(line)),
    outside: namesOf(outside),
  };
}

/** Differences in the repository and in git's own data begin with a path from there. */
export function sortByPlace({ root, gitData }: Ground, found: readonly string[]): Seen {
  const [repository, git] = [`./${root}/`, `./${gitData}`];
  const isInGit = (line: string): boolean => line.startsWith(git) && /^(?:\/|: )/u.test(line.slice(git.length));
  const isInside = (line: string): boolean => line.startsWith(repository) && !isInGit(line);
  return {
    inside: found.filter(isInside).map((line) => line.slice(repository.length)),
    inGit: found.filter(isInGit).map((line) => line.slice(git.length + 1)),
    outside: found.filter((line) => !isInside(line) && !isInGit(line)),
  };
}

/** The repository is what it was or holds exactly the expected change, and nothing else is different anywhere. */
function aboutFiles(ended: Ended): string[] {
  const { builder, stage, setting } = ended;
  const { inside, inGit, outside } = lookAround(ended);
  const wrong = [
    ...unlike("the repository", inside, [...builder.changed, ...originalOf(ended)]),
    ...unlike("the surroundings", outside, setting.sandbox === "off" ? builder.outside : []),
    ...aboutContent(builder, stage),
  ];
  return [...wrong, ...(builder.commits ? aboutCommit(ended) : unlike("git's data", inGit, builder.git))];
}

/** Where the builder did what the task asks for and it was accepted, it is there to the letter. */
function aboutContent({ program, expect }: HostileBuilder, { root }: Stage): string[] {
  if (!expect.includes("SUCCESS") || !program.includes(GOOD_TEXT)) return [];
  const text = readFileSync(join(root, "src/main.ts"), "utf8");
  return unless(text === `${GOOD_TEXT}\n`, `src/main.ts holds ${JSON.stringify(text)}`);
}

function namesOf(lines: readonly string[]): string[] {
  return [...new Set(lines.map((line) => line.replace(/^(\.\/[^/]+\/[^/:]+).*$/u, "$1").replace(/:.*$/u, "")))];
}

export function unlike(name: string, found: readonly string[], expected: readonly string[]): string[] {
  const same = found.length === expected.length && found.every((line, place) => line === expected[place]);
  return same ? [] : [`${name} differs in: ${found.join("; ") || "nothing"}`];
}

/** The commit holds the changed paths and nothing else, and git finds nothing to complain about. */
export function aboutCommit({ builder, stage }: Pick<Ended, "builder" | "stage">): string[] {
  const names = stage.git("show", "--format=", "--name-only", "--no-renames", "HEAD").split("\n");
  const expected = builder.changed.map((line) => line.slice(0, line.lastIndexOf(": ")));
  const wrong = unlike("the commit", names, expected);
  const left = stage.git("status", "--porcelain");
  if (left !== "") wrong.push(`after the commit there is left: ${left}`);
  if (!stage.git("log", "-1", "--format=%B").includes("Relais-Task: T-1")) wrong.push("the commit is not relais' own");
  stage.git("fsck", "--connectivity-only", "--no-dangling", "--no-progress");
  return wrong;
}
