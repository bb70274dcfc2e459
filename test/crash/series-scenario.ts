/**
 * A series of ticks that is killed, recovered and resumed: what was committed stays, once; nobody whose session had ended on
 * the disk is asked again; and in the end everything is as without the crash.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  eventsOf,
  journalProblems,
  leftoversOf,
  linesOf,
  named,
  recoverOnce,
  repetitionProblems,
  runPastLock,
} from "./aftermath.ts";
import type { Recovered, Scenario } from "./scenario.ts";
import { openSite, type Site } from "./site.ts";

export interface SeriesParts {
  readonly name: string;
  /** Laid over the configuration of the site; the box is known by then. */
  readonly config: (box: string) => object;
  /** Files of the repository, and with `../../` of the box. */
  readonly files: (box: string) => Readonly<Record<string, string>>;
  readonly start: readonly string[];
  /** How it goes on; the same words where there are no others. */
  readonly resume?: readonly string[];
  /** Done once in the new repository. */
  readonly prepare?: (site: Site) => Promise<void>;
  /** What it prints in the end. */
  readonly good: RegExp;
  /** How many sessions an undisturbed series has. */
  readonly sessions: number;
  /** Whether the session of the interrupted tick is paid again although it had ended; not where that is absent. */
  readonly repeatsTick?: true;
  /** The content of src/x.ts in the end, and how many commits lead to it. */
  readonly end: { readonly text: string; readonly commits: number };
}

export function seriesScenario(parts: SeriesParts): Scenario {
  return {
    name: parts.name,
    place: "in place",
    open: (executable) => openSeries(executable, parts),
    argv: ({ executable }) => [process.execPath, executable, ...parts.start, "--json"],
    isGood: (said) => parts.good.test(said),
    recover,
    goOn: async (site) => [...(await repetitionProblems(site)), ...(await resumeProblems(site, parts))],
  };
}

async function openSeries(executable: string, { config, files, prepare }: SeriesParts): Promise<Site> {
  const site = await openSite(executable, "accepted", { isolation: "in_place", sandbox: "off" });
  const path = join(site.root, "relais.config.json");
  const own: object = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...own, ...config(site.box) }));
  for (const [name, text] of Object.entries(files(site.box))) {
    mkdirSync(dirname(join(site.root, name)), { recursive: true });
    writeFileSync(join(site.root, name), text);
  }
  site.git("switch", "--quiet", "--create", "topic");
  site.git("add", "--all");
  site.git("commit", "--quiet", "--message", "the series");
  await prepare?.(site);
  return site;
}

/** The commits that the journal says are made, oldest first. */
function commitsIn(journal: string): readonly unknown[] {
  return eventsOf(journal).flatMap(({ type, commit }) =>
    type === "settled" && typeof commit === "string" ? [commit] : [],
  );
}

async function recover(site: Site): Promise<Recovered> {
  const left = site.journal();
  const { problems } = await recoverOnce(site, questionProblems);
  const commits = commitsIn(site.journal());
  const head = site.git("rev-parse", "HEAD").trim();
  const status = site.git("status", "--porcelain");
  const failures = [
    ...problems,
    ...named("recovered", await leftoversOf(site, undefined)),
    ...journalProblems(left, site.journal()),
    ...(commits.length === 0 || commits.at(-1) === head
      ? []
      : [`HEAD is ${head}, and the journal says ${String(commits.at(-1))}`]),
    ...(site.git("rev-list", "--count", "HEAD").trim() === String(commits.length + 2)
      ? []
      : ["a commit is lost, or made twice"]),
    ...(status === "" ? [] : [`it is not as committed: ${status}`]),
    ...(unrecordedSessions(site) <= 1 ? [] : ["two sessions ran without a record"]),
    ...(commitsIn(left).length <= commits.length ? [] : ["a commit is not in the journal any more"]),
  ];
  return { outcome: `${commits.length} committed`, failures };
}

/** It may ask about git's own data, and about what the interrupted commit had. */
function questionProblems(answer: string): readonly string[] {
  const { rollback = [] }: { readonly rollback?: readonly { readonly path: string }[] } = JSON.parse(answer);
  const others = rollback.filter(({ path }) => !/^(?:git: |src\/|relais\/)/.test(path));
  return others.map(({ path }) => `recover asks about ${path}`);
}

/** How many sessions began that no line of the journal has the end of. */
function unrecordedSessions(site: Site): number {
  return Math.max(0, countSessions(site) - countEnded(site.journal()));
}

function countSessions({ box }: Site): number {
  const path = join(box, "sessions");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

/** Reviews are recorded one by one and then all together. */
function countEnded(journal: string): number {
  const ended = new Map<string, number>();
  for (const { run_id, event } of linesOf(journal)) {
    if (event.type === "build_ended") ended.set(`${run_id} build`, 1);
    const reviews = Array.isArray(event["reviews"]) ? event["reviews"].length : 0;
    const name = `${run_id} review`;
    if (event.type === "review_answered") ended.set(name, (ended.get(name) ?? 0) + reviews);
    if (event.type === "reviewed") ended.set(name, reviews);
  }
  return [...ended.values()].reduce((sum, count) => sum + count, 0);
}

async function resumeProblems(site: Site, parts: SeriesParts): Promise<readonly string[]> {
  const { start, resume = start, end } = parts;
  const unrecorded = unrecordedSessions(site);
  const isOver = eventsOf(site.journal()).some(({ type }) => type === "series_ended");
  const isBegun = eventsOf(site.journal()).length > 0;
  const ran = isOver ? null : await runPastLock(site, [...(isBegun ? resume : start), "--json"]);
  const text = readFileSync(join(site.root, "src/x.ts"), "utf8");
  const commits = Number(site.git("rev-list", "--count", "HEAD")) - 2;
  return [
    ...(ran === null || ran.status === 0 ? [] : [`resumed: ${ran.status} ${ran.stdout}${ran.stderr}`]),
    ...(text === end.text ? [] : [`resumed: src/x.ts is ${JSON.stringify(text)}`]),
    ...(commits === end.commits ? [] : [`resumed: ${commits} commits`]),
    ...named("resumed", sessionProblems(site, parts, unrecorded)),
    ...(site.git("status", "--porcelain") === "" ? [] : ["resumed: something is left uncommitted"]),
    ...named("resumed", journalProblems("", site.journal())),
  ];
}

function sessionProblems(site: Site, { sessions, repeatsTick }: SeriesParts, unrecorded: number): readonly string[] {
  const [least, count] = [sessions + unrecorded, countSessions(site)];
  const isRight = count === least || (repeatsTick === true && count === sessions + 1);
  return isRight ? [] : [`${count} sessions, of which ${unrecorded} ended without a record`];
}
