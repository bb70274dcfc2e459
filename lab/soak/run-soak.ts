/**
 * A night in minutes: so many ticks of each workflow on one repository, with kills, an agent that is out of quota, red
 * checks, processes left behind, and prunes in between.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { measureDisk, type SoakDisk } from "./measure-disk.ts";
import { makeRandom } from "../../scripts/random.ts";
import { makeSoakRepository, type SoakRepository } from "./soak-repository.ts";
import { COMMANDS, type SoakWorkflow } from "./soak-workflows.ts";
import { openTickCount } from "./tick-count.ts";
import { type Look, watchRun } from "./watched-run.ts";

/** A stretch of some ticks in one process. */
export interface SoakPoint {
  readonly workflow: SoakWorkflow;
  /** Ticks of this workflow so far. */
  readonly ticks: number;
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly cpuMsPerTick: number;
  /** By the clock, with everything that others make the machine do. */
  readonly msPerTick: number;
  readonly diskMb: number;
  readonly recordKbPerTick: number;
  /** Of the machine, which others may use, too. */
  readonly load: number;
}

export interface Soak {
  readonly points: readonly SoakPoint[];
  /** Of each workflow. */
  readonly ticks: Readonly<Partial<Record<SoakWorkflow, number>>>;
  readonly kills: number;
  readonly prunes: number;
  /** Parts that ended with red work on top, which a person put right. */
  readonly mends: number;
  readonly commits: number;
  readonly seconds: number;
  /** Everything that must not be, one line each. */
  readonly problems: readonly string[];
}

interface SoakRequest {
  readonly ticks: number;
  /** No part begins later. */
  readonly minutes: number;
  readonly seed: number;
  readonly box: string;
  /** The built executable. */
  readonly executable: string;
  readonly workflows: readonly SoakWorkflow[];
  readonly onProgress: (text: string) => void;
}

/** One in so many parts is killed once. */
const KILLED_IN = 3;
const TICKS_OF_PART = 50;
/** A workflow that ends early again and again is a failure, not an endless run. */
const PARTS_MAX = 100;
const TICKS_OF_POINT = 10;
const MINUTE_MS = 60_000;
/** Of the output of a command that did not end as it should. */
const TOLD_CHARS = 2000;
const KEPT = "40";
/** Done; stopped at a tick; a limit of turns or iterations is reached. */
const PLAIN_ENDS: readonly (number | string)[] = [0, 10, 12, 14];

export async function runSoak(request: SoakRequest): Promise<Soak> {
  const began = performance.now();
  const soak = openSoak(request);
  const isOver = (): boolean => performance.now() - began > request.minutes * MINUTE_MS;
  const isOpen = (workflow: SoakWorkflow): boolean => soak.ticksOf(workflow) < request.ticks && !isOver();
  for (let number = 1; number <= PARTS_MAX && request.workflows.some((one) => isOpen(one)); number += 1)
    for (const workflow of request.workflows)
      if (isOpen(workflow)) await soak.play(workflow, { number, ticks: Math.min(TICKS_OF_PART, request.ticks) });
  return { ...soak.found(), seconds: Math.round((performance.now() - began) / 1000) };
}

type Part = Parameters<(typeof COMMANDS)["loop"]["resume"]>[0];

/** What is known in the middle of a soak. */
interface SoakState {
  readonly repository: SoakRepository;
  readonly executable: string;
  readonly countTicks: () => number;
  readonly points: SoakPoint[];
  /** Told at once, and at the end again. */
  readonly fail: (problem: string) => void;
  readonly done: Map<SoakWorkflow, number>;
  readonly sums: { kills: number; prunes: number; mends: number };
}

function openSoak({ seed, box, executable, onProgress }: SoakRequest) {
  const repository = makeSoakRepository(box);
  const random = makeRandom(seed);
  const countTicks = openTickCount(repository);
  const sums = { kills: 0, prunes: 0, mends: 0 };
  const problems: string[] = [];
  const fail = (problem: string): void => {
    problems.push(problem);
    onProgress(problem);
  };
  const state: SoakState = { repository, executable, countTicks, points: [], fail, done: new Map(), sums };
  const ticksOf = (workflow: SoakWorkflow): number => state.done.get(workflow) ?? 0;
  const play = async (workflow: SoakWorkflow, part: Part): Promise<void> => {
    const where = `${workflow}, part ${part.number}`;
    repository.put("workflow", workflow);
    const isKilled = random.below(KILLED_IN) === 0;
    const args = COMMANDS[workflow].begin(repository, part, (...words) => runPlain(state, words));
    const first = isKilled ? 1 + random.below(part.ticks) : Number.POSITIVE_INFINITY;
    const ticks = await watchPart(state, { workflow, args, killAt: first, isDone: false });
    if (isKilled) {
      runPlain(state, ["recover", "--yes"]);
      const rest = COMMANDS[workflow].resume({ ...part, ticks: Math.max(1, part.ticks - ticks) });
      await watchPart(state, { workflow, args: rest, killAt: Number.POSITIVE_INFINITY, isDone: ticks >= part.ticks });
    }
    // As a person who has looked at it; nothing else removes work.
    for (const run of listSalvage(repository)) rmSync(run, { recursive: true });
    runPlain(state, ["history", "prune", "--keep", KEPT]);
    sums.prunes += 1;
    if (mendIfRed(repository, workflow)) sums.mends += 1;
    for (const problem of examine(repository)) fail(`${where}: ${problem}`);
    onProgress(`${where}: ${ticksOf(workflow)} ticks, ${describeDisk(measureDisk(repository, countTicks()))}`);
  };
  const found = () => ({
    points: state.points,
    ticks: Object.fromEntries(state.done),
    problems,
    ...sums,
    commits: Number(repository.git("rev-list", "--count", "--all")),
  });
  return { play, ticksOf, found };
}

function runPlain({ executable, repository, fail }: SoakState, args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [executable, ...args], {
    cwd: repository.root,
    env: repository.env,
    encoding: "utf8",
    timeout: 300_000,
  });
  if (status !== 0) fail(`relais ${args.join(" ")}: status ${status}: ${stderr.slice(-TOLD_CHARS)}`);
}

interface WatchedPart {
  readonly workflow: SoakWorkflow;
  readonly args: readonly string[];
  /** After so many ticks of this process. */
  readonly killAt: number;
  /** Whether nothing is left to do, because the kill came behind the last tick. */
  readonly isDone: boolean;
}

/** One process; returns the number of its ticks. */
async function watchPart(state: SoakState, { workflow, args, killAt, isDone }: WatchedPart): Promise<number> {
  const { repository, executable, countTicks, points, fail, done, sums } = state;
  const first = countTicks();
  const before = done.get(workflow) ?? 0;
  const stretch = openStretch();
  const end = await watchRun({
    command: [process.execPath, executable, ...args],
    repository,
    onLook: (look) => {
      const ticks = countTicks() - first;
      const point = stretch(ticks, look);
      if (point !== null)
        points.push({
          workflow,
          ticks: before + ticks,
          ...measureDisk(repository, first + ticks),
          ...point,
          load: loadavg()[0] ?? 0,
        });
      return ticks >= killAt ? "kill" : "go on";
    },
  });
  const said = (): string => readFileSync(join(repository.box, "relais.log"), "utf8").slice(-TOLD_CHARS);
  if (end === "SIGKILL") sums.kills += 1;
  else if (!PLAIN_ENDS.includes(end)) fail(`${args.join(" ")}: ended with ${end}: ${said()}`);
  const ticks = countTicks() - first;
  if (ticks === 0 && !isDone) fail(`${args.join(" ")}: did nothing and ended with ${end}: ${said()}`);
  done.set(workflow, before + ticks);
  return ticks;
}

type Stretch = Pick<SoakPoint, "memoryMb" | "descriptors" | "cpuMsPerTick" | "msPerTick">;

/** Gathers the looks of one process; a point after every few ticks. */
function openStretch() {
  let start: { readonly ticks: number; readonly cpuMs: number; readonly atMs: number } | null = null;
  let peak = { memoryMb: 0, descriptors: 0 };
  return (ticks: number, look: Look): Stretch | null => {
    if (ticks === 0) return null; // What a start costs is no part of a tick.
    const now = { ticks, cpuMs: look.cpuMs, atMs: performance.now() };
    start ??= now;
    peak = {
      memoryMb: Math.max(peak.memoryMb, look.memoryMb),
      descriptors: Math.max(peak.descriptors, look.descriptors),
    };
    if (ticks - start.ticks < TICKS_OF_POINT) return null;
    const count = ticks - start.ticks;
    const point = {
      ...peak,
      cpuMsPerTick: (now.cpuMs - start.cpuMs) / count,
      msPerTick: (now.atMs - start.atMs) / count,
    };
    start = now;
    peak = { memoryMb: 0, descriptors: 0 };
    return point;
  };
}

function describeDisk({ diskMb, recordKbPerTick }: SoakDisk): string {
  return `${diskMb.toFixed(1)} MB and ${recordKbPerTick.toFixed(1)} KB of records per tick`;
}

function listSalvage({ state }: SoakRepository): readonly string[] {
  const folder = join(state(), "salvage");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/**
 * Goals, trees and campaigns commit work that fails the check, because their next iteration is to fix it. A part that ends
 * at its limit may leave such work, and then relais rightly refuses to start the next one.
 */
function mendIfRed({ root, git, put }: SoakRepository, workflow: SoakWorkflow): boolean {
  if (spawnSync("sh", ["check.sh"], { cwd: root }).status === 0) return false;
  put(`repo/src/${workflow}.ts`, "export {};\n");
  git("commit", "--quiet", "--all", "--message=mend");
  return true;
}

/** What holds between two parts. */
function examine({ box, root, git }: SoakRepository): readonly string[] {
  const changed = git("status", "--porcelain");
  const left = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && worksIn(pid, box));
  return [
    ...(changed === "" ? [] : [`the worktree is not clean: ${changed}`]),
    ...left.map((pid) => `process ${pid} is left in ${root.slice(box.length)}`),
  ];
}

function worksIn(pid: string, box: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${box}/`);
  } catch {
    return false; // It is gone, or somebody else's.
  }
}
