/**
 * Lets programs loose on repositories, one after the other, and says what became of each.
 *
 * It is bundled and run as a process of its own, because the whole story, from building the repository to looking at it
 * again, must be told once as root and once as an ordinary user: each hides faults of the other. It prints one line of
 * JSON for each program.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { judge } from "../../src/core/judge/judge.ts";
import { findRepository } from "../../src/io/git/repository-layout.ts";
import type { Workplace } from "../../src/run/evidence/workplace.ts";
import { openInPlace } from "../../src/run/evidence/in-place.ts";
import { type Fixture, type RepositoryKind, buildRepository, gitEnvironment } from "../support/repositories.ts";
import { type Walk, differences, walk } from "../support/walker.ts";
import { type Program, discoverPrograms } from "./program.ts";
import { rulesFor } from "./rules.ts";
import { runProgram } from "./run-program.ts";

/** What became of one program. */
export interface DamageReport {
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
  /** For honest work: what of it is not there once it was merged, and what of git's data is not as it was before. */
  readonly lost: readonly string[];
  readonly ms: number;
}

const [work = "", only = ""] = process.argv.slice(2);

interface Box {
  readonly folder: string;
  readonly stateDirectory: string;
  readonly fixture: Fixture;
  readonly before: Walk;
}

/**
 * One box for each kind of repository. A box that the walker found restored is used again, so that damage follows upon
 * damage as it does in a long series; one that it did not is built anew.
 */
const boxes = new Map<RepositoryKind, Box>();

function remove(path: string): void {
  if (spawnSync("rm", ["-rf", path], { stdio: "ignore" }).status === 0) return;
  // What a program locked and nobody unlocked. Complaints about links do not matter, a failing removal does.
  if (canChangeAttributes())
    spawnSync("find", [path, "-execdir", "chattr", "-f", "-ia", "{}", "+"], { stdio: "ignore" });
  spawnSync("chmod", ["-R", "u+rwX", path], { stdio: "ignore" });
  execFileSync("rm", ["-rf", path]);
}

let attributes: boolean | null = null;

/** Root on a file system that knows immutable files. */
function canChangeAttributes(): boolean {
  if (attributes !== null) return attributes;
  const probe = join(work, "probe");
  try {
    writeFileSync(probe, "");
    execFileSync("chattr", ["+i", probe], { stdio: "ignore" });
    execFileSync("chattr", ["-i", probe], { stdio: "ignore" });
    attributes = true;
  } catch {
    attributes = false;
  }
  return attributes;
}

function whyNot(program: Program): string | null {
  if (program.needs === "root" && process.getuid?.() !== 0) return "needs root";
  if (program.needs === "chattr" && !canChangeAttributes()) return "needs root and immutable files";
  if (program.needs === "linux" && process.platform !== "linux") return "needs names that are plain bytes";
  return null;
}

/** Takes a box out of those that are ready, or builds one. */
function boxOf({ repository: kind, before: command }: Program): Box {
  const known = command === null ? boxes.get(kind) : undefined;
  if (known !== undefined) {
    boxes.delete(kind);
    return known;
  }
  const name = command === null ? kind : "own";
  const folder = join(work, `box-${name}`);
  const stateDirectory = join(work, `state-${name}`);
  remove(folder);
  remove(stateDirectory);
  mkdirSync(stateDirectory, { mode: 0o700 });
  const fixture = buildRepository(kind, folder);
  if (command !== null) runIn(join(folder, fixture.root), command);
  return { folder, stateDirectory, fixture, before: walk({ folder, worktrees: fixture.worktrees }) };
}

function runIn(root: string, command: string): void {
  const options = { cwd: root, env: gitEnvironment(join(root, "..")), stdio: "pipe" } as const;
  execFileSync("sh", ["-ec", command], options);
}

/** What changed in the files, as far as the walker can still look at them. */
function filesNow(folder: string): Walk | null {
  try {
    return walk({ folder, worktrees: [] });
  } catch {
    return null;
  }
}

type Told = Omit<DamageReport, "id" | "skipped" | "ms" | "error">;

/**
 * Damage is undone by the place that saw it. Honest work is merged, and then undone all the same, by a second place that
 * has known the repository from before: so the box is as it was, and what was merged can be taken back.
 */
async function tell(program: Program, at: (step: string) => void): Promise<Told> {
  at("setting up");
  const box = boxOf(program);
  const { folder, fixture, before } = box;
  const root = join(folder, fixture.root);
  const place = await placeIn(box, "state");
  const earlier = isHonest(program) ? await placeIn(box, "earlier") : place;
  at("prepare");
  await place.prepare();
  if (earlier !== place) await earlier.prepare();
  at("the program");
  await runProgram({ program, folder: join(work, "programs"), root, box: folder });
  const damaged = filesNow(folder);
  at("collect");
  const candidate = await place.collect(rulesFor(program));
  at("judge");
  const judgement = judge(candidate.evidence);
  at("merge");
  const refused = isHonest(program) ? await place.merge(candidate) : [];
  const merged = isHonest(program) ? filesNow(folder) : null;
  at("discard");
  await earlier.discard();
  at("looking again");
  const left = differences(before, walk({ folder, worktrees: fixture.worktrees }));
  if (left.length === 0 && program.before === null) boxes.set(program.repository, box);
  if (program.afterwards !== null) runIn(root, program.afterwards);
  return {
    code: judgement.code,
    findings: judgement.findings.map((finding) => `${finding.code} ${finding.subject}: ${finding.rule}`),
    notes: judgement.notes,
    damaged: damaged === null || differences(withoutGit(before), damaged).length > 0,
    lost: merged === null ? [] : [...refused, ...lostOf({ program, before, damaged, merged })],
    left,
  };
}

interface Work {
  readonly program: Program;
  readonly before: Walk;
  readonly damaged: Walk | null;
}

function lostOf(done: Work & { readonly merged: Walk }): string[] {
  const wanted = toBeMerged(done);
  return wanted === null ? [] : differences(wanted, done.merged);
}

/** The files as the program left them, and git's data as it was before, but for what stays. */
function toBeMerged({ program, before, damaged }: Work): Walk | null {
  if (damaged === null) return null;
  const gitFolder = program.repository === "git-file" ? "./elsewhere.git" : "./repo/.git";
  const isGit = (path: string): boolean => path === gitFolder || path.startsWith(`${gitFolder}/`);
  const stays = (path: string): boolean => program.stays.some((part) => `${path}/`.startsWith(`${gitFolder}/${part}/`));
  const entries = [
    ...[...damaged.entries].filter(([path]) => !isGit(path) || stays(path)),
    ...[...before.entries].filter(([path]) => isGit(path) && !stays(path)),
  ];
  return { entries: new Map(entries), git: new Map() };
}

async function placeIn(box: Box, state: string): Promise<Workplace> {
  const root = join(box.folder, box.fixture.root);
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error(`there is no repository at ${root}`);
  const stateDirectory = join(box.stateDirectory, state);
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  return openInPlace({ repository, stateDirectory, userExcludesFile: null });
}

function isHonest(program: Program): boolean {
  return program.id.startsWith("honest/");
}

function withoutGit(seen: Walk): Walk {
  return { entries: seen.entries, git: new Map() };
}

async function report(program: Program): Promise<DamageReport> {
  const started = Date.now();
  const nothing: Told = { code: null, findings: [], notes: [], damaged: false, lost: [], left: [] };
  const skipped = whyNot(program);
  if (skipped !== null) return { id: program.id, skipped, error: null, ...nothing, ms: 0 };
  let step = "";
  try {
    const told = await tell(program, (name) => (step = name));
    return { id: program.id, skipped: null, error: null, ...told, ms: Date.now() - started };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id: program.id, skipped: null, error: `${step}: ${text}`, ...nothing, ms: Date.now() - started };
  }
}

const wanted = new Set(only.split(","));
for (const program of discoverPrograms(join(work, "programs"))) {
  if (wanted.has(program.id)) process.stdout.write(`${JSON.stringify(await report(program))}\n`);
}
for (const kind of ["own", ...boxes.keys()]) remove(join(work, `box-${kind}`));
