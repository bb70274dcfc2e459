/**
 * One crash: relais is killed at one place of a tick, recovered, and everything is looked at.
 *
 * What may be there afterwards follows from the journal as the crash left it: what was settled stays, everything else is
 * reverted.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Walk } from "../support/walker.ts";
import {
  argumentsOf,
  changedBetween,
  copySite,
  type Isolation,
  type Kind,
  revertedWith,
  type Site,
  type Strike,
} from "./site.ts";

export interface Position {
  readonly at: number;
  /** The call and what it was about. */
  readonly call: string;
  readonly when: "before" | "after" | "torn";
}

export interface Crash {
  readonly kind: Kind;
  readonly isolation: Isolation;
  readonly position: Position;
  /** `missed` is a tick that ended before it came to that position. */
  readonly outcome: "reverted" | "kept" | "missed";
  /** What is not as it should be, in words; empty is good. */
  readonly failures: readonly string[];
}

/** Every call of an undisturbed tick that changes a file or starts a program. Throws where it ends in another way. */
export async function callsOf(template: Site): Promise<readonly string[]> {
  const site = copySite(template);
  try {
    const log = join(site.box, "calls");
    const { stdout, stderr } = await site.relais([...argumentsOf(site), "--json"], { log });
    const code = revertedWith(site.kind) ?? "SUCCESS";
    if (!stdout.includes(`"code":"${code}"`)) throw new Error(`the tick did not end as ${code}: ${stdout}${stderr}`);
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    return lines.map((line) => line.replace(/^\d+ /, "").replaceAll(site.box, ""));
  } finally {
    site.remove();
  }
}

const isData = (call: string): boolean => /^\S*(?:write|append)/i.test(call);
const isSpawn = (call: string): boolean => /^(?:spawn|execFile)/.test(call);

/** Every way to be killed at these calls: before each, in the middle of data, and right after a program was started. */
export function everyPosition(calls: readonly string[]): readonly Position[] {
  return calls.flatMap((call, index): Position[] => {
    const at = index + 1;
    return [
      { at, call, when: "before" },
      ...(isData(call) ? [{ at, call, when: "torn" } as const] : []),
      ...(isSpawn(call) || at === calls.length ? [{ at, call, when: "after" } as const] : []),
    ];
  });
}

/** Every line of the journal, cut off or complete by turns, and a spread of all the others. */
export function somePositions(calls: readonly string[], spread: number): readonly Position[] {
  const every = everyPosition(calls);
  const step = every.length / spread;
  const spreadOut = Array.from({ length: spread }, (_, index) => every[Math.floor((index + 0.5) * step)]);
  const journal = calls.flatMap((call, index): Position[] => {
    const at = index + 1;
    if (!call.endsWith("/journal.jsonl")) return [];
    if (call.startsWith("promises.rename")) return [{ at, call, when: "after" }];
    return call.includes("appendFile") ? [{ at, call, when: at % 2 === 0 ? "torn" : "after" }] : [];
  });
  return [...spreadOut.filter((position) => position !== undefined), ...journal];
}

/** Kills one tick at one position and answers with all that is wrong afterwards. */
export async function strikeAt(template: Site, position: Position): Promise<Crash> {
  const { kind, isolation } = template;
  const site = copySite(template);
  try {
    const before = site.look();
    const strike: Strike = { at: position.at, when: position.when };
    const { signal, pid } = await site.relais(argumentsOf(site), strike);
    if (signal !== "SIGKILL") return { kind, isolation, position, outcome: "missed", failures: [] };
    const left = site.journal();
    const settled = eventsOf(left).find(({ type }) => type === "settled");
    const expected = settled === undefined ? before : site.look();
    const failures = [
      ...(settled?.["action"] === "rollback" ? named("settled", changedBetween(before, expected)) : []),
      ...(settled !== undefined && revertedWith(kind) === null ? named("kept", keptProblems(site, settled)) : []),
      ...(await recoveryProblems(site, { left, expected, pid })),
      ...(await nextTickProblems(site, kind)),
    ];
    const outcome = settled === undefined || revertedWith(kind) !== null ? "reverted" : "kept";
    return { kind, isolation, position, outcome, failures };
  } finally {
    site.remove();
  }
}

export const named = (what: string, problems: readonly string[]) => problems.map((problem) => `${what}: ${problem}`);

interface Aftermath {
  /** The journal as the crash left it. */
  readonly left: string;
  readonly expected: Walk;
  /** The killed process. */
  readonly pid: number | undefined;
}

export async function recoveryProblems(site: Site, { left, expected, pid }: Aftermath): Promise<readonly string[]> {
  const first = await site.relais(["recover", "--json"]);
  const question = questionProblems(site, first.stdout);
  const recovery = question === null ? first : await site.relais(["recover", "--json", "--yes"]);
  const leftovers = await leftoversOf(site, pid);
  const once = site.look();
  const journal = site.journal();
  const again = await site.relais(["recover", "--json"]);
  return [
    ...(question ?? []),
    ...(recovery.status === 0 ? [] : [`recover: ${recovery.status} ${recovery.stdout}${recovery.stderr}`]),
    ...(recovery.stderr === "" ? [] : [`recover said: ${recovery.stderr}`]),
    ...named("recovered", changedBetween(expected, once)),
    ...named("recovered", leftovers),
    ...(journal.startsWith(completeLines(left)) ? [] : ["the journal lost a line"]),
    ...named("journal", chainProblems(journal)),
    ...salvageProblems(site, left),
    ...reportProblems(site),
    ...(again.stdout.includes('"kind":"nothing"') ? [] : [`second recover: ${again.stdout}${again.stderr}`]),
    ...(site.journal() === journal ? [] : ["second recover: it wrote to the journal"]),
    ...named("second recover", changedBetween(once, site.look())),
  ];
}

/**
 * Null where recovery asks for nothing. It may ask only where git's own data has to go back, and only about that; where
 * a commit was made, also about its files and folders, which are then not as committed.
 */
function questionProblems({ kind, isolation }: Site, answer: string): readonly string[] | null {
  const { cause, rollback = [] }: Question = JSON.parse(answer);
  if (cause !== "unproven_rollback") return null;
  if (kind === "accepted" || kind === "patched") return [`recover asks: ${answer}`];
  const isCommit = rollback.some(({ path }) => path.startsWith("git: refs/heads/"));
  const expected = isCommit || isolation !== "in_place" ? /^(?:git: |src\/(?:(?:x|old|new\/deep)\.ts|new)$)/ : /^git: /;
  return rollback.filter(({ path }) => !expected.test(path)).map(({ path }) => `recover asks about ${path}`);
}

interface Question {
  readonly cause?: string;
  readonly rollback?: readonly { readonly path: string }[];
}

/**
 * Places of ended ticks, folders that a place or a sandbox was tried or opened with, and processes that hold one. A mount
 * lives no longer than its holder.
 */
async function leftoversOf(site: Site, pid: number | undefined): Promise<readonly string[]> {
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

function linesOf(journal: string): { readonly run_id: string; readonly prev: string | null; readonly event: Event }[] {
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
function salvageProblems(site: Site, left: string): readonly string[] {
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
  const missing = ["+ok", "src/new/deep.ts", "src/old.ts"].filter((part) => !patch.includes(part));
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
  const isCommitted = site.git("rev-parse", "HEAD").trim() === commit && site.git("status", "--porcelain") === "";
  return isCommitted ? [] : ["HEAD is not the commit, or something is left uncommitted"];
}

/** The next tick works as if nothing had happened. */
export async function nextTickProblems(site: Site, kind: Kind): Promise<readonly string[]> {
  if (kind === "accepted" && site.git("status", "--porcelain") !== "") {
    site.git("add", "--all");
    site.git("commit", "--quiet", "--message", "accepted");
  }
  const next = await site.relais(["run", "--json", "--task", join(site.box, "next.json")]);
  const expected = revertedWith(kind) ?? "SUCCESS";
  const litter = readdirSync(join(site.root, "relais"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tmp$|\.reclaim-/.test(name),
  );
  return [
    ...(next.stdout.includes(`"code":"${expected}"`) ? [] : [`next tick: ${next.stdout}${next.stderr}`]),
    ...litter.map((name) => `next tick: ${name} is still there`),
  ];
}
