/**
 * What must hold after a crash and its recovery: the files, the journal, salvage, the report, what is left behind, a second
 * recovery and the next tick.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Walk } from "../support/walker.ts";
import { changedBetween, type Kind, type Ran, revertedWith, type Site } from "./site.ts";

export const named = (what: string, problems: readonly string[]) => problems.map((problem) => `${what}: ${problem}`);

interface Aftermath {
  /** The journal as the crash left it. */
  readonly left: string;
  readonly expected: Walk;
  /** The killed process. */
  readonly pid: number | undefined;
  /** Whether the box is a copy, whose change times look as if a person had edited everything. */
  readonly isCopy?: true;
}

/** Recovers twice; the second time must change nothing. */
export async function recoveryProblems(site: Site, aftermath: Aftermath): Promise<readonly string[]> {
  const first = await firstRecoveryProblems(site, aftermath);
  return [...first, ...(await repetitionProblems(site))];
}

/** Recovers, and looks at everything. */
export async function firstRecoveryProblems(
  site: Site,
  { left, expected, pid, isCopy }: Aftermath,
): Promise<readonly string[]> {
  const { recovery, problems } = await recoverOnce(site, (answer) => questionProblems(site, answer));
  const leftovers = await leftoversOf(site, pid);
  const journal = site.journal();
  return [
    ...problems,
    ...(recovery.stderr === "" ? [] : [`recover said: ${recovery.stderr}`]),
    ...named("recovered", changedBetween(expected, expected.git.size === 0 ? site.lookAtFiles() : site.look())),
    ...named("recovered", leftovers),
    ...journalProblems(left, journal),
    ...salvageProblems(site, left, isCopy === true),
    ...reportProblems(site),
  ];
}

/** Recovers, with a person's yes where it is asked for. The questions that may be asked are judged by the caller. */
export async function recoverOnce(
  site: Site,
  judgeQuestion: (answer: string) => readonly string[],
): Promise<{ readonly recovery: Ran; readonly problems: readonly string[] }> {
  const first = await site.relais(["recover", "--json"]);
  const isAsked = first.stdout.includes('"unproven_rollback"');
  const recovery = isAsked ? await site.relais(["recover", "--json", "--yes"]) : first;
  const problems = [
    ...(isAsked ? judgeQuestion(first.stdout) : []),
    ...(recovery.status === 0 ? [] : [`recover: ${recovery.status} ${recovery.stdout}${recovery.stderr}`]),
  ];
  return { recovery, problems };
}

/** What a recovery must not change once another one has ended. Where no file differs, git sees nothing else either. */
export async function repetitionProblems(site: Site): Promise<readonly string[]> {
  const [once, journal] = [site.lookAtFiles(), site.journal()];
  const again = await site.relais(["recover", "--json"]);
  return [
    ...(again.stdout.includes('"kind":"nothing"') ? [] : [`second recover: ${again.stdout}${again.stderr}`]),
    ...(site.journal() === journal ? [] : ["second recover: it wrote to the journal"]),
    ...named("second recover", changedBetween(once, site.lookAtFiles())),
  ];
}

/** Every complete line that was there is still there, and each follows the one before. */
export function journalProblems(left: string, journal: string): readonly string[] {
  return [
    ...(journal.startsWith(completeLines(left)) ? [] : ["the journal lost a line"]),
    ...named("journal", chainProblems(journal)),
  ];
}

/**
 * Recovery may ask only where git's own data has to go back, and only about that; where a commit was made, also about its
 * files and folders, which are then not as committed.
 */
function questionProblems({ kind, isolation }: Site, answer: string): readonly string[] {
  const { rollback = [] }: Question = JSON.parse(answer);
  if (kind === "accepted" || kind === "patched") return [`recover asks: ${answer}`];
  const isCommit = rollback.some(({ path }) => path.startsWith("git: refs/heads/"));
  const expected = isCommit || isolation !== "in_place" ? /^(?:git: |src\/(?:(?:x|old|new\/deep)\.ts|new)$)/ : /^git: /;
  return rollback.filter(({ path }) => !expected.test(path)).map(({ path }) => `recover asks about ${path}`);
}

interface Question {
  readonly rollback?: readonly { readonly path: string }[];
}

/**
 * Places of ended ticks, folders that a place or a sandbox was tried or opened with, and processes that hold one. A mount
 * lives no longer than its holder.
 */
export async function leftoversOf(site: Site, pid: number | undefined): Promise<readonly string[]> {
  const state = site.state() ?? site.box;
  const left = [
    ...namesIn(join(state, "places")),
    ...namesIn(state).filter((name) => name.startsWith("relais-")),
    ...namesIn(join(site.box, "tmp")),
    ...namesIn("/dev/shm").filter((name) => name.startsWith("relais-") && name.includes(`-${pid ?? ""}-`)),
  ];
  const folders = left.map((name) => `the folder ${name} is left`);
  for (let tries = 0; holdersOf(site).length > 0 && tries < 40; tries += 1) await delay(50);
  return [...folders, ...holdersOf(site).map((command) => `it still runs: ${command}`)];
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** The programs that name the site in their arguments. */
function holdersOf({ box }: Site): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandOf(pid))
    .filter((command) => command.includes(`${box}/`));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return ""; // It has ended.
  }
}

function completeLines(journal: string): string {
  return journal.slice(0, journal.lastIndexOf("\n") + 1);
}

interface Event {
  readonly [key: string]: unknown;
  readonly type: string;
}

export function linesOf(
  journal: string,
): { readonly run_id: string; readonly prev: string | null; readonly event: Event }[] {
  return completeLines(journal)
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export function eventsOf(journal: string): readonly Event[] {
  return linesOf(journal).map(({ event }) => event);
}

/** The hashes of the lines, reckoned here and not by the product. */
function chainProblems(journal: string): string[] {
  if (!journal.endsWith("\n") && journal !== "") return ["its last line is cut off"];
  const hashes = journal.split("\n").map((line) => createHash("sha256").update(line).digest("hex"));
  return linesOf(journal).flatMap(({ prev }, index) =>
    prev === (index === 0 ? null : hashes[index - 1]) ? [] : [`line ${index + 1} does not follow the one before`],
  );
}

/** A builder that had ended left work; where that was put back, it must be in salvage. A patch is in its task anyway. */
function salvageProblems(site: Site, left: string, isCopy: boolean): readonly string[] {
  const settled = eventsOf(site.journal()).find(({ type }) => type === "settled");
  const done = site.kind === "patched" ? "written" : "build_ended";
  const hadWork = eventsOf(left).some(({ type }) => type === done);
  if (!hadWork || settled?.["action"] !== "rollback") return [];
  // After a rollback that failed, the journal names what its repetition saved; the work was saved before.
  const isRepeated = eventsOf(site.journal()).some(({ type }) => type === "rollback_failed");
  const names = [isRepeated ? linesOf(left)[0]?.run_id : null, settled["salvage"]].filter(
    (name) => typeof name === "string",
  );
  const folders = names.map((name) => join(site.state() ?? "", "salvage", name));
  const folder = folders.find((path) => existsSync(join(path, "meta.json")));
  if (folder === undefined) return ["the work is not in salvage"];
  const patch = readFileSync(join(folder, "changes.patch"), "utf8");
  // In an overlay, the removal of a file that a person has edited since is not the builder's.
  const removed = isCopy && site.isolation === "overlay" ? [] : ["src/old.ts"];
  const missing = ["+ok", "src/new/deep.ts", ...removed].filter((part) => !patch.includes(part));
  return missing.map((part) => `${part} is missing from salvage`);
}

const HISTORY =
  /^(?:meta\.json|report\.(?:json|md)|task\.json|config\.json|evidence\.json|diff\.patch|(?:verify|builder)\.log)$/;

/** Every tick that began has a report and a place in the history. */
function reportProblems(site: Site): readonly string[] {
  const last = linesOf(site.journal()).at(-1);
  if (last === undefined) return [];
  if (last.event.type !== "tick_ended") return [`the last event is ${last.event.type}`];
  const wanted = ["relais/REPORT.json", `relais/history/${last.run_id}/meta.json`];
  const missing = wanted.filter((path) => !existsSync(join(site.root, path)));
  if (missing.length > 0) return missing.map((path) => `${path} is missing`);
  const report: unknown = JSON.parse(readFileSync(join(site.root, "relais/REPORT.json"), "utf8"));
  const ledger = readFileSync(join(site.root, "relais/ledger.jsonl"), "utf8");
  const { code } = last.event;
  const kept = readdirSync(join(site.root, "relais/history", last.run_id));
  return [
    ...kept.filter((name) => !HISTORY.test(name)).map((name) => `history: ${name} does not belong there`),
    ...(JSON.stringify(report).includes(`"code":${JSON.stringify(code)}`) ? [] : ["the report is another one's"]),
    ...(ledger === site.journal() ? [] : ["the ledger is not the journal"]),
  ];
}

/** Whether the change is what the builder made, by a look at the files and at git. */
export function keptProblems(site: Site, { commit }: Event): string[] {
  const has = (path: string): boolean => existsSync(join(site.root, path));
  const isWhole =
    readFileSync(join(site.root, "src/x.ts"), "utf8") === "ok\n" && has("src/new/deep.ts") && !has("src/old.ts");
  if (!isWhole) return ["it is not the change that was made"];
  if (commit === null) return [];
  const isRest = (line: string) => line !== "" && !(site.kind === "dirty" && line.includes(" mine/"));
  const rest = site.git("status", "--porcelain").split("\n").filter(isRest);
  const isCommitted = site.git("rev-parse", "HEAD").trim() === commit && rest.length === 0;
  return isCommitted ? [] : ["HEAD is not the commit, or something is left uncommitted"];
}

/** The next tick works as if nothing had happened. */
export async function nextTickProblems(site: Site, kind: Kind): Promise<readonly string[]> {
  if (kind === "accepted" && site.git("status", "--porcelain") !== "") {
    site.git("add", "--all");
    site.git("commit", "--quiet", "--message", "accepted");
  }
  const dirty = kind === "dirty" ? ["--dirty"] : [];
  const next = await site.relais(["run", "--json", "--task", join(site.box, "next.json"), ...dirty]);
  const expected = revertedWith(kind) ?? "SUCCESS";
  const litter = readdirSync(join(site.root, "relais"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tmp$|\.reclaim-/.test(name),
  );
  return [
    ...(next.stdout.includes(`"code":"${expected}"`) ? [] : [`next tick: ${next.stdout}${next.stderr}`]),
    ...litter.map((name) => `next tick: ${name} is still there`),
  ];
}

/** A git that was killed outside a tick leaves its lock; relais names it, and a person removes it. */
export async function runPastLock(site: Site, args: readonly string[]): Promise<Ran> {
  const ran = await site.relais(args);
  const lock = /"code":\s*"BLOCKED_LOCK_HELD".*because of (\S+\.lock)\./.exec(ran.stdout)?.[1];
  if (lock === undefined) return ran;
  rmSync(lock);
  return site.relais(args);
}
