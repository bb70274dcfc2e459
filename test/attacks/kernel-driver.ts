/**
 * Lets attacks loose on repositories, one after the other, observes, judges and undoes, and says what became of each.
 *
 * It is bundled and run as a process of its own, because the whole story, from building the repository to looking at it
 * again, must be told once as root and once as an ordinary user: each hides faults of the other. It prints one line of
 * JSON for each attack.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { judge } from "../../src/judge/pure/judge.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { openInPlace } from "../../src/place/in-place.ts";
import type { Workplace } from "../../src/place/workplace.ts";
import { type Walk, differences, walk } from "../support/walker.ts";
import { ATTACKS, discoverAttacks } from "./discover.ts";
import { environmentIn, type Ground, layGround, put, STAGE } from "./ground.ts";
import { removeBox, whyNot } from "./needs.ts";
import { runProgram } from "./run-program.ts";
import { rulesOf } from "./task-and-config.ts";

/** What became of one attack. */
export interface KernelReport {
  readonly id: string;
  /** Why it was not run at all. */
  readonly skipped: string | null;
  /** The step that threw, and what it said. */
  readonly error: string | null;
  readonly code: string | null;
  readonly findings: readonly string[];
  readonly notes: readonly string[];
  /** Whether the walker saw the damage at all: a program that does nothing proves nothing. */
  readonly damaged: boolean;
  /** What the walker still sees after everything was to be undone. */
  readonly left: readonly string[];
  /** For what is kept: what of it is not there once it was merged, and what of git's data is not as it was before. */
  readonly lost: readonly string[];
  readonly ms: number;
}

const [work = "", , only = ""] = process.argv.slice(2);

interface Box {
  readonly folder: string;
  readonly stateDirectory: string;
  readonly ground: Ground;
  readonly before: Walk;
}

/**
 * One box for each kind of repository. A box that the walker found restored is used again, so that damage follows upon
 * damage as it does in a long series; one that it did not is built anew.
 */
const boxes = new Map<string, Box>();

const isOwn = ({ before, files }: HostileBuilder): boolean => before !== null || Object.keys(files).length > 0;

/** Takes a box out of those that are ready, or builds one. */
function boxOf(builder: HostileBuilder): Box {
  const { kind, files, before: command } = builder;
  const known = isOwn(builder) ? undefined : boxes.get(kind);
  if (known !== undefined) {
    boxes.delete(kind);
    return known;
  }
  const name = isOwn(builder) ? "own" : kind;
  const folder = join(work, `box-${name}`);
  const stateDirectory = join(work, `state-${name}`);
  removeBox(folder);
  removeBox(stateDirectory);
  mkdirSync(stateDirectory, { mode: 0o700 });
  const ground = layGround(kind, folder);
  const root = join(folder, ground.root);
  if (kind === STAGE) {
    put(root, { "relais.config.json": "{}\n", ...files });
    runIn({ folder, ground }, builder, "git add -A; git commit -qm 'the stage'");
    // As a tick has them while its builder works.
    put(root, { "relais/lock.json": "{}\n", "relais/STATE.json": "{}\n" });
  }
  runIn({ folder, ground }, builder, command);
  return { folder, stateDirectory, ground, before: lookAt(folder, ground.worktrees) };
}

function runIn(
  { folder, ground }: Pick<Box, "folder" | "ground">,
  builder: HostileBuilder,
  command: string | null,
): void {
  if (command === null) return;
  const options = { cwd: join(folder, ground.root), env: environmentIn(folder, builder), stdio: "pipe" } as const;
  execFileSync("sh", ["-ec", command], options);
}

/** Where an attack leaves what it says, and nobody else looks. */
const UNSEEN = /^\.\/(?:tmp\/drop|pids)(?:\/|$)/u;

function lookAt(folder: string, worktrees: readonly string[]): Walk {
  const { entries, git } = walk({ folder, worktrees });
  return { git, entries: new Map([...entries].filter(([name]) => !UNSEEN.test(name))) };
}

/** What changed in the files, as far as the walker can still look at them. */
function filesNow(folder: string): Walk | null {
  try {
    return lookAt(folder, []);
  } catch {
    return null;
  }
}

type Told = Omit<KernelReport, "id" | "skipped" | "ms" | "error">;

/**
 * Damage is undone by the place that saw it. What is to be kept is merged, and then undone all the same, by a second place
 * that has known the repository from before: so the box is as it was, and what was merged can be taken back.
 */
async function tell(builder: HostileBuilder, at: (step: string) => void): Promise<Told> {
  at("setting up");
  const box = boxOf(builder);
  const { folder, ground, before } = box;
  const root = join(folder, ground.root);
  const isKept = builder.expect[0] === "SUCCESS";
  const place = await placeIn(box, "state");
  const earlier = isKept ? await placeIn(box, "earlier") : place;
  at("prepare");
  await place.change.prepare();
  if (earlier !== place) await earlier.change.prepare();
  at("the program");
  await runProgram({ builder, folder: join(work, ATTACKS), root, box: folder });
  const damaged = filesNow(folder);
  at("collect");
  const candidate = await place.change.collect(rulesOf(builder));
  at("judge");
  const judgement = judge(candidate.evidence);
  at("merge");
  const refused = isKept ? await place.settlement.merge(candidate) : [];
  const merged = isKept ? filesNow(folder) : null;
  if (isKept) runIn(box, builder, builder.afterwards);
  at("discard");
  await earlier.settlement.discard();
  at("looking again");
  const left = unlessForetold(builder, differences(before, lookAt(folder, ground.worktrees)));
  if (left.all.length === 0 && !isOwn(builder)) boxes.set(builder.kind, box);
  if (!isKept) runIn(box, builder, builder.afterwards);
  return {
    code: judgement.code,
    findings: judgement.findings.map((finding) => `${finding.code} ${finding.subject}: ${finding.rule}`),
    notes: judgement.notes,
    damaged: damaged === null || differences({ ...before, git: new Map() }, damaged).length > 0,
    lost: [...refused, ...lostOf({ builder, ground, before, damaged, merged })],
    left: left.unforeseen,
  };
}

/** What lies outside of the repository is not relais' to undo. */
function unlessForetold({ outside }: HostileBuilder, all: readonly string[]) {
  return { all, unforeseen: all.filter((line) => !outside.some((name) => line.startsWith(name))) };
}

interface Work {
  readonly builder: HostileBuilder;
  readonly ground: Ground;
  readonly before: Walk;
  readonly damaged: Walk | null;
}

function lostOf(done: Work & { readonly merged: Walk | null }): string[] {
  const wanted = toBeMerged(done);
  if (wanted === null || done.merged === null) return [];
  const foretold = new Set(done.builder.git.map((line) => `./${done.ground.gitData}/${line}`));
  return differences(wanted, done.merged).filter((line) => !foretold.has(line));
}

/** The files as the program left them, and git's data as it was before, but for what stays. */
function toBeMerged({ builder, ground, before, damaged }: Work): Walk | null {
  if (damaged === null) return null;
  const gitFolder = `./${ground.gitData}`;
  const isGit = (path: string): boolean => path === gitFolder || path.startsWith(`${gitFolder}/`);
  const stays = (path: string): boolean => builder.stays.some((part) => `${path}/`.startsWith(`${gitFolder}/${part}/`));
  const entries = [
    ...[...damaged.entries].filter(([path]) => !isGit(path) || stays(path)),
    ...[...before.entries].filter(([path]) => isGit(path) && !stays(path)),
  ];
  return { entries: new Map(entries), git: new Map() };
}

async function placeIn(box: Box, state: string): Promise<Workplace> {
  const root = join(box.folder, box.ground.root);
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error(`there is no repository at ${root}`);
  const stateDirectory = join(box.stateDirectory, state);
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  return openInPlace({ repository, stateDirectory, runDirectory: stateDirectory, userExcludesFile: null });
}

async function report(builder: HostileBuilder): Promise<KernelReport> {
  const started = Date.now();
  const { id } = builder;
  const nothing: Told = { code: null, findings: [], notes: [], damaged: false, lost: [], left: [] };
  const skipped = whyNot(builder, work);
  if (skipped !== null) return { id, skipped, error: null, ...nothing, ms: 0 };
  let step = "";
  try {
    const told = await tell(builder, (name) => (step = name));
    return { id, skipped: null, error: null, ...told, ms: Date.now() - started };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, skipped: null, error: `${step}: ${text}`, ...nothing, ms: Date.now() - started };
  }
}

const wanted = new Set(only.split(","));
for (const builder of discoverAttacks(join(work, ATTACKS))) {
  if (wanted.has(builder.id)) process.stdout.write(`${JSON.stringify(await report(builder))}\n`);
}
for (const kind of ["own", ...boxes.keys()]) removeBox(join(work, `box-${kind}`));
