/** Says what is wrong about the end of a builder's tick; nothing, where everything is as it must be. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { CODES } from "../../src/contract/codes.ts";
import { Report } from "../../src/contract/report.ts";
import { differences, type Walk } from "../support/walker.ts";
import type { Builder } from "./builder.ts";
import type { Ran, Stage } from "./stage.ts";

export interface Ended {
  readonly builder: Builder;
  readonly stage: Stage;
  readonly ran: Ran;
  readonly before: Walk;
}

/** The report of the tick that ended last; null where there is none that can be read. */
export function reportOf({ root }: Pick<Stage, "root">): Report | null {
  const path = join(root, "relais/REPORT.json");
  if (!existsSync(path)) return null;
  const parsed = v.safeParse(Report, JSON.parse(readFileSync(path, "utf8")));
  return parsed.success ? parsed.output : null;
}

/** Everything that is wrong, in words. */
export function complaints(ended: Ended): string[] {
  const report = reportOf(ended.stage);
  if (ended.builder.refused) return [...aboutRefusal(ended, report), ...aboutFiles(ended)];
  if (report === null) return [`there is no report: ${ended.ran.stdout}${ended.ran.stderr}`.slice(0, 2000)];
  return [...aboutVerdict(ended, report), ...aboutCard(ended, report), ...aboutFiles(ended)];
}

/** Without its state relais can decide nothing: it says so, and touches nothing. */
function aboutRefusal({ builder, ran }: Ended, report: Report | null): string[] {
  const said = `${ran.stdout}${ran.stderr}`;
  return [
    ...(report === null ? [] : [`there is a report: ${report.code}`]),
    ...(said.includes(builder.expect) ? [] : [`it said: ${said.slice(0, 500)}`]),
    ...(ran.status === 11 ? [] : [`the status is ${String(ran.status)}`]),
  ];
}

function aboutVerdict({ builder, ran }: Ended, report: Report): string[] {
  const { code, cause, findings, notes, message } = report;
  const wrong: string[] = [];
  const told = findings.map(({ subject, rule }) => `${subject}: ${rule}`);
  if (code !== builder.expect)
    wrong.push(`it ended as ${code}, ${String(cause)}, ${String(message)}`, ...told.slice(0, 5));
  if (builder.cause !== null && cause !== builder.cause) wrong.push(`its cause is ${String(cause)}`);
  const status = builder.recovered ? 0 : CODES[code].exit;
  if (ran.status !== status) wrong.push(`the status is ${String(ran.status)}: ${ran.stderr.slice(0, 500)}`);
  if (!builder.recovered && ran.stderr !== "") wrong.push(`it complained: ${ran.stderr.slice(0, 500)}`);
  if (builder.finding !== null && !told.some((text) => text.includes(builder.finding ?? "")))
    wrong.push(`no finding says "${builder.finding}"`, ...told.slice(0, 5));
  if (builder.note !== null && !notes.some((text) => text.includes(builder.note ?? "")))
    wrong.push(`no note says "${builder.note}"`, ...notes.slice(0, 5));
  return wrong;
}

/** What a terminal would obey, or what would show text in another order than it is written. */
// eslint-disable-next-line no-control-regex -- These are what it is about.
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const NO_SANDBOX = "without a sandbox: nothing kept it from writing outside the repository";

/** Whatever a builder did, the card is safe to print and says what held the builder. */
function aboutCard({ builder, ran, stage }: Ended, report: Report): string[] {
  const wrong: string[] = [];
  const page = readFileSync(join(stage.root, "relais/REPORT.md"), "utf8");
  for (const [name, text] of Object.entries({ card: ran.stdout, page }))
    if (CONTROL.test(text)) wrong.push(`the ${name} holds control characters`);
  const flat = ran.stdout.replaceAll(/\s+/gu, " ");
  if (!builder.recovered && !flat.includes(report.code))
    wrong.push(`the card does not name the code: ${flat}`);
  if (builder.says !== null && !flat.includes(builder.says))
    wrong.push(`the card does not say "${builder.says}": ${flat}`);
  if (report.sandbox === null || builder.recovered) return wrong;
  if (report.sandbox !== "none") wrong.push(`the report claims the sandbox ${report.sandbox}`);
  if (!flat.includes(NO_SANDBOX)) wrong.push(`the card does not say that there was no sandbox: ${flat}`);
  if (!page.includes(NO_SANDBOX)) wrong.push("REPORT.md does not say that there was no sandbox");
  return wrong;
}

const REPOSITORY = "./place/repo/";
const GIT_DATA = "./place/repo/.git";
/** A relais that was killed could not remove it; it is stale, and the next one takes it over. */
const STALE_LOCK = "./place/repo/relais/lock.json: ";

/** The repository is what it was or holds exactly the expected change, and nothing else is different anywhere. */
function aboutFiles({ builder, stage, before }: Ended): string[] {
  const seen = differences(before, stage.look());
  const found = builder.recovered ? seen.filter((line) => !line.startsWith(STALE_LOCK)) : seen;
  const inGit = found.filter(
    (line) => line.startsWith(GIT_DATA) && /^(?:\/|: )/u.test(line.slice(GIT_DATA.length)),
  );
  const inside = found.filter((line) => line.startsWith(REPOSITORY) && !inGit.includes(line));
  const outside = found.filter((line) => !line.startsWith(REPOSITORY));
  const wrong = [
    ...unlike(
      "the repository",
      inside.map((line) => line.slice(REPOSITORY.length)),
      builder.changed,
    ),
    ...unlike("the surroundings", namesOf(outside), builder.outside),
  ];
  return builder.commits
    ? [...wrong, ...aboutCommit({ builder, stage })]
    : [...wrong, ...aboutGit(inGit, builder)];
}

function aboutGit(found: readonly string[], { git }: Builder): string[] {
  return unlike(
    "git's data",
    found.map((line) => line.slice(GIT_DATA.length + 1)),
    git,
  );
}

/** What a builder did elsewhere is told by place only: a push, for instance, writes objects with names of their own. */
function namesOf(lines: readonly string[]): string[] {
  return [
    ...new Set(lines.map((line) => line.replace(/^(\.\/[^/]+\/[^/:]+).*$/u, "$1").replace(/:.*$/u, ""))),
  ];
}

function unlike(name: string, found: readonly string[], expected: readonly string[]): string[] {
  const same = found.length === expected.length && found.every((line, place) => line === expected[place]);
  return same ? [] : [`${name} differs in: ${found.join("; ") || "nothing"}`];
}

/** The commit holds the changed paths and nothing else, and git finds nothing to complain about. */
function aboutCommit({ builder, stage }: Pick<Ended, "builder" | "stage">): string[] {
  const names = stage.git("show", "--format=", "--name-only", "--no-renames", "HEAD").split("\n");
  const expected = builder.changed.map((line) => line.slice(0, line.lastIndexOf(": ")));
  const wrong = unlike("the commit", names, expected);
  const left = stage.git("status", "--porcelain");
  if (left !== "") wrong.push(`after the commit there is left: ${left}`);
  if (!stage.git("log", "-1", "--format=%B").includes("Relais-Task: T-1"))
    wrong.push("the commit is not relais' own");
  stage.git("fsck", "--connectivity-only", "--no-dangling", "--no-progress");
  return wrong;
}
