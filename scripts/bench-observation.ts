/**
 * What an observation costs beside `git status`, measured side by side in one run.
 *
 * Machines differ and are noisy, so only ratios are worth quoting: each round runs every step once, and the medians of
 * the rounds are compared. `npm run bench -- 100 10000` measures other sizes.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "../src/core/judge/judge.ts";
import type { Rules } from "../src/contract/evidence/evidence.ts";
import { findRepository } from "../src/io/git/repository-layout.ts";
import { openInPlace } from "../src/run/evidence/in-place.ts";

const IGNORED_FILES = 20_000;
const ROUNDS = 5;
const RULES: Rules = {
  task_kind: "execute",
  allowed_globs: ["src/**"],
  forbidden_globs: ["**/node_modules/**", "**/.env*"],
  runner_owned_globs: ["relais/**"],
  allow_new_files: true,
  allow_lockfile_changes: false,
  lockfiles: ["package-lock.json"],
  max_files_touched: 12,
  max_lines_changed: 400,
  ignored: "report",
  ignored_writable_globs: [],
};

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

function fill(root: string, files: number): void {
  for (let file = 0; file < files; file += 1) {
    const folder = join(root, "src", `d${Math.floor(file / 100)}`);
    if (file % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${file}.ts`), `export const value${file} = ${file};\n`.repeat(20 + (file % 30)));
  }
  for (let file = 0; file < IGNORED_FILES; file += 1) {
    const folder = join(root, "node_modules", `p${Math.floor(file / 50)}`);
    if (file % 50 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `m${file}.js`), `module.exports = ${file};\n`.repeat(30));
  }
  writeFileSync(join(root, ".gitignore"), "node_modules/\n");
  git(root, "init", "--quiet");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message=base");
  git(root, "repack", "-adq");
  git(root, "prune-packed", "--quiet");
}

async function timed(times: Map<string, number[]>, step: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  times.set(step, [...(times.get(step) ?? []), performance.now() - start]);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function measure(files: number): Promise<void> {
  const box = realpathSync(mkdtempSync(join(tmpdir(), "relais-bench-")));
  try {
    const root = join(box, "repo");
    mkdirSync(root);
    fill(root, files);
    const repository = await findRepository(root, process.env);
    if (repository.kind !== "repository") throw new Error("the sample is no repository");
    const open = () => openInPlace({ repository, stateDirectory: join(box, "state"), userExcludesFile: null });
    const times = new Map<string, number[]>();
    await timed(times, "first observation (reads everything)", async () => (await open()).prepare());
    // Files written just now are read again for caution; a real repository has rested.
    await new Promise((done) => setTimeout(done, 2_500));
    await (await open()).prepare();
    for (let round = 0; round < ROUNDS; round += 1) await measureRound(times, root, open);
    report(files, times);
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

async function measureRound(
  times: Map<string, number[]>,
  root: string,
  open: () => ReturnType<typeof openInPlace>,
): Promise<void> {
  await timed(times, "git status", async () => git(root, "status", "--porcelain=v2", "-z", "-uall"));
  await timed(times, "git status --ignored", async () =>
    git(root, "status", "--porcelain=v2", "-z", "-uall", "--ignored"),
  );
  const workplace = await open();
  await timed(times, "observation before a build", () => workplace.prepare());
  appendFileSync(join(root, "src/d0/f1.ts"), "// edited\n");
  writeFileSync(join(root, "src/new.ts"), "export {};\n");
  await timed(times, "observation after it, and the verdict", async () => {
    const { code } = judge((await workplace.collect(RULES)).evidence);
    if (code !== "SUCCESS") throw new Error(`unexpected verdict ${code}`);
  });
  await timed(times, "rollback, with its proof", () => workplace.discard());
}

function report(files: number, times: Map<string, number[]>): void {
  const status = median(times.get("git status") ?? []);
  console.log(`\n${files} tracked files, ${IGNORED_FILES} ignored; medians of ${ROUNDS} rounds`);
  for (const [step, values] of times) {
    const ratio = (median(values) / status).toFixed(2).padStart(8);
    console.log(`${ratio} x git status  ${median(values).toFixed(0).padStart(7)} ms  ${step}`);
  }
}

const sizes = process.argv.slice(2).map(Number);
for (const files of sizes.length > 0 ? sizes : [100, 10_000, 100_000]) await measure(files);
