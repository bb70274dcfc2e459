/**
 * Puts the changes of attacks through both engines that make evidence: that of a tick, and that of `relais judge`.
 *
 * It is bundled and run as a process of its own, because an attack may end its parent. It prints one line of
 * JSON for each attack.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Rules } from "../../src/records/evidence.ts";
import { findRepository, type Repository } from "../../src/git/repository-layout.ts";
import { openInPlace } from "../../src/place/in-place.ts";
import { ATTACKS, discoverAttacks } from "../attacks/discover.ts";
import { environmentIn, layGround, put, STAGE } from "../attacks/ground.ts";
import { runProgram } from "../attacks/run-program.ts";
import { rulesOf } from "../attacks/task-and-config.ts";
import { compareEngines, type EngineReport, measureBefore } from "./compare-engines.ts";

const [work = "", only = ""] = process.argv.slice(2);
const wanted = new Set(only.split(","));

/** One change: what is there before, what is done, and by which rules it is judged. */
interface Play {
  readonly id: string;
  readonly root: string;
  readonly rules: Rules;
  readonly act: () => Promise<void>;
}

async function play({ id, root, rules, act }: Play): Promise<EngineReport> {
  const repository = await repositoryAt(root);
  const stateDirectory = join(work, "engine-state");
  mkdirSync(stateDirectory, { mode: 0o700 });
  const place = await openInPlace({ repository, stateDirectory, runDirectory: stateDirectory, userExcludesFile: null });
  await place.change.prepare();
  const before = await measureBefore(repository);
  await act();
  const { evidence } = await place.change.collect(rules);
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

const attacks = discoverAttacks(join(work, ATTACKS)).filter(({ id }) => wanted.has(id));
for (const builder of attacks) {
  await report(builder.id, async () => {
    const box = join(work, "box");
    const ground = layGround(builder.kind, box);
    const root = join(box, ground.root);
    const env = environmentIn(box, builder);
    const run = (command: string) => execFileSync("sh", ["-ec", command], { cwd: root, env, stdio: "pipe" });
    if (builder.kind === STAGE) {
      put(root, { "relais.config.json": "{}\n", ...builder.files });
      run("git add -A; git commit -qm 'the stage'");
    }
    if (builder.before !== null) run(builder.before);
    // Of two packs git asks the newer one first, and a program may bring one of its own within the same second.
    execFileSync("find", [box, "-path", "*/objects/pack/*", "-exec", "touch", "-d", "2024-01-01", "{}", "+"]);
    const act = () => runProgram({ builder, folder: join(work, ATTACKS), root, box });
    return play({ id: builder.id, root, rules: rulesOf(builder), act });
  });
}
