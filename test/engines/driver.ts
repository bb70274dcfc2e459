/**
 * Puts changes of hostile programs through both engines that make evidence: that of a tick, and that of `relais judge`.
 *
 * It is bundled and run as a process of its own, because a hostile program may end its parent. It prints one line of
 * JSON for each program.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Rules } from "../../src/contract/evidence/evidence.ts";
import { findRepository, type Repository } from "../../src/io/git/repository-layout.ts";
import { openInPlace } from "../../src/run/evidence/in-place.ts";
import { discoverPrograms } from "../damage/program.ts";
import { rulesFor } from "../damage/rules.ts";
import { runProgram } from "../damage/run-program.ts";
import { discoverBuilders } from "../hostile/builder.ts";
import { buildTemplate, openStage } from "../hostile/stage.ts";
import { findStrays } from "../../src/io/drill/strays.ts";
import { buildRepository, gitEnvironment } from "../support/repositories.ts";
import { compareEngines, type EngineReport, measureBefore } from "./compare-engines.ts";

const [work = "", only = ""] = process.argv.slice(2);
const wanted = new Set(only.split(","));
const template = join(work, "template");
const HOSTILE_RULES: Rules = {
  task_kind: "execute",
  allowed_globs: ["src/**", "tests/**"],
  forbidden_globs: [".git/**", "relais/**", "**/.env*", "**/*secret*", "**/*token*", "**/node_modules/**"],
  runner_owned_globs: ["relais/**", "relais.config.json"],
  allow_new_files: false,
  allow_lockfile_changes: false,
  lockfiles: ["pnpm-lock.yaml", "package-lock.json"],
  max_files_touched: 20,
  max_lines_changed: 200,
  ignored: "forbid",
  ignored_writable_globs: ["**/dist/**"],
};

/** One change: what is there before, what is done, and by which rules it is judged. */
interface Play {
  readonly id: string;
  readonly root: string;
  readonly rules: Rules;
  readonly act: () => Promise<void> | void;
}

async function play({ id, root, rules, act }: Play): Promise<EngineReport> {
  const repository = await repositoryAt(root);
  const stateDirectory = join(work, "engine-state");
  mkdirSync(stateDirectory, { mode: 0o700 });
  const place = await openInPlace({ repository, stateDirectory, userExcludesFile: null });
  await place.prepare();
  const before = await measureBefore(repository);
  await act();
  const { evidence } = await place.collect(rules);
  return { id, ...(await compareEngines({ repository, evidence, before })) };
}

async function repositoryAt(root: string): Promise<Repository> {
  const repository = await findRepository(root, {});
  if (repository.kind !== "repository") throw new Error(`there is no repository at ${root}`);
  return repository;
}

function remove(path: string): void {
  if (spawnSync("rm", ["-rf", path], { stdio: "ignore" }).status === 0) return;
  spawnSync("chmod", ["-R", "u+rwX", path], { stdio: "ignore" });
  execFileSync("rm", ["-rf", path]);
}

async function report(id: string, work_: () => Promise<EngineReport>): Promise<void> {
  const said = await work_().catch((error: unknown): EngineReport => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, error: text, isRefused: false, unmeasured: null, onlyTick: [], onlyJudge: [], shared: 0 };
  });
  process.stdout.write(`${JSON.stringify(said)}\n`);
  for (const name of ["box", "engine-state"]) remove(join(work, name));
}

for (const program of discoverPrograms(join(work, "programs"))) {
  const id = `damage/${program.id}`;
  if (!wanted.has(id)) continue;
  await report(id, async () => {
    const box = join(work, "box");
    const fixture = buildRepository(program.repository, box);
    const root = join(box, fixture.root);
    if (program.before !== null)
      execFileSync("sh", ["-ec", program.before], { cwd: root, env: gitEnvironment(box), stdio: "pipe" });
    // Of two packs git asks the newer one first, and a program may bring one of its own within the same second.
    execFileSync("find", [box, "-path", "*/objects/pack/*", "-exec", "touch", "-d", "2024-01-01", "{}", "+"]);
    const act = () => runProgram({ program, folder: join(work, "programs"), root, box });
    return play({ id, root, rules: rulesFor(program), act });
  });
}

/** Runs the builder as a program and ends whatever it leaves running. */
const RUN_BUILDER = (file: string): string =>
  `cd "$HOSTILE/place/repo"; export RELAIS_RESULT_PATH="$HOSTILE/tmp/result.json" RELAIS_DROP="$HOSTILE/tmp"; setsid timeout -s KILL 5 ${file.endsWith(".mjs") ? `"${process.execPath}"` : "sh"} "$HOSTILE/builder${file.slice(file.lastIndexOf("."))}" < /dev/null > /dev/null 2>&1 || true`;

const builders = discoverBuilders(join(work, "builders")).filter(({ id }) => wanted.has(`hostile/${id}`));
if (builders.length > 0) buildTemplate(template);
for (const builder of builders) {
  const id = `hostile/${builder.id}`;
  await report(id, () => {
    const stage = openStage({ template, box: join(work, "box"), builder, executable: "" });
    const act = (): void => {
      stage.command(RUN_BUILDER(builder.file));
      for (let left = findStrays(stage.box); left.length > 0; left = findStrays(stage.box))
        for (const { pid } of left) end(pid);
    };
    return play({ id, root: stage.root, rules: HOSTILE_RULES, act });
  });
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}
