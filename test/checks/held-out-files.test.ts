import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { copyInto, removeFrom } from "../../src/system/write-files.ts";
import { environmentOf, executable } from "../support/relais.ts";
import { type TickRepository, tickRepository } from "../support/tick-repository.ts";

const SECRET = "the answer is forty-two";
const PLACES = ["in_place", "overlay"] as const;
const NEW_X = { do: "write", path: "src/x.ts", text: "new\n" };

interface HeldOutOptions {
  readonly script: string;
  readonly isolation?: string;
  readonly verification?: object;
}

/** A repository with one held-out check, whose script and data lie beside the repository. */
function world({ script, isolation = "in_place", verification = {} }: HeldOutOptions): TickRepository {
  const held = { id: "hidden", cmd: "sh", args: ["held/check.sh"], files: { held: "../held", "src/key": "~/key" } };
  const config = { isolation, sandbox: "off", verification: { held_out: [held], ...verification } };
  const repo = tickRepository({ config });
  mkdirSync(join(repo.box, "held"));
  writeFileSync(join(repo.box, "held/check.sh"), script);
  writeFileSync(join(repo.box, "key"), SECRET);
  return repo;
}

async function runTask(repo: TickRepository, steps: readonly object[]): Promise<Record<string, unknown>> {
  writeFileSync(join(repo.box, "task.json"), JSON.stringify(repo.task(steps)));
  const { document } = await repo.ask("run", "--task", join(repo.box, "task.json"));
  return Object.fromEntries(Object.entries(document ?? {}));
}

/** All that agents can read, and all that is committed. */
function readEverything({ root }: TickRepository): string {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

test.each(PLACES)("a held-out check sees the work, and leaves nothing (%s)", async (isolation) => {
  const script = "grep -q new src/x.ts && test -s src/key && echo seen > src/key && mkdir src/more";
  const repo = world({ script, isolation });
  const report = await runTask(repo, [NEW_X]);
  expect(report).toMatchObject({
    code: "SUCCESS",
    verification: { runs: [{ template_id: "hidden", held_out: true, exit_code: 0 }] },
  });
  expect(repo.git("status", "--porcelain")).toBe("M src/x.ts");
  expect(existsSync(join(repo.root, "held"))).toBe(false);
});

test.each(PLACES)("its output is for a person, and agents learn that it failed (%s)", async (isolation) => {
  const repo = world({ script: 'echo "expected: $(cat src/key)"; exit 7', isolation });
  const report = await runTask(repo, [NEW_X]);
  const run = { template_id: "hidden", held_out: true, exit_code: 1 };
  expect(report).toMatchObject({
    code: "STOP_VERIFY_FAILED_SLOW",
    cause: "held_out_red",
    findings: [{ gate: "held-out", subject: "hidden" }],
    verification: { runs: [{ ...run, last_lines: [`expected: ${SECRET}`] }] },
  });
  expect(readEverything(repo)).not.toContain(SECRET);
  const published: unknown = JSON.parse(readFileSync(join(repo.root, "relais/REPORT.json"), "utf8"));
  expect(published).toMatchObject({ cause: "held_out_red", verification: { runs: [run] } });
  expect((await repo.relais("log")).stdout).toContain(SECRET);
  expect((await repo.relais("history", "show", String(report["run_id"]))).stdout).toContain(SECRET);
});

test("without a sandbox they are files that an agent can look for", async () => {
  const script = "grep -q forty-two src/x.ts";
  const repo = world({ script });
  const report = await runTask(repo, [{ do: "run", argv: ["sh", "-c", "cat ../key > src/x.ts"] }]);
  expect(report).toMatchObject({ code: "SUCCESS" });
});

test("its output can be shared with agents", async () => {
  const repo = world({ script: "cat src/key; exit 7", verification: { held_out_output: "share" } });
  const report = await runTask(repo, [NEW_X]);
  expect(report).toMatchObject({ cause: "held_out_red", verification: { runs: [{ exit_code: 7 }] } });
  expect(readFileSync(join(repo.root, "relais/REPORT.json"), "utf8")).toContain(SECRET);
});

test("it runs only where all others passed, and without ignored files of the builder", async () => {
  const templates = [{ id: "red", cmd: "false" }];
  const red = world({ script: "exit 0", verification: { templates } });
  const task = { ...red.task([NEW_X]), verification: { fast: ["red"], slow: [] } };
  writeFileSync(join(red.box, "task.json"), JSON.stringify(task));
  const { document } = await red.ask("run", "--task", join(red.box, "task.json"));
  expect(document).toMatchObject({ cause: "exit_1", verification: { runs: [{ template_id: "red" }] } });
  const forged = world({ script: "test ! -e dist/forged", verification: { oracle: "off" } });
  const steps = [NEW_X, { do: "write", path: "dist/forged", text: "x" }];
  expect(await runTask(forged, steps)).toMatchObject({ code: "SUCCESS" });
});

test("a link of the builder leads a held-out file nowhere else", () => {
  const { box, root } = tickRepository();
  mkdirSync(join(box, "victim"));
  writeFileSync(join(box, "key"), SECRET);
  symlinkSync("../victim", join(root, "held"));
  symlinkSync("../victim/made", join(root, "src/key"));
  copyInto(root, "held/deep/key", join(box, "key"));
  copyInto(root, "src/key", join(box, "key"));
  expect(readdirSync(join(box, "victim"))).toEqual([]);
  expect(readFileSync(join(root, "held/deep/key"), "utf8")).toBe(SECRET);
  symlinkSync("../victim", join(root, "other"));
  writeFileSync(join(box, "victim/mine"), "mine");
  removeFrom(root, "other/mine");
  expect(readFileSync(join(box, "victim/mine"), "utf8")).toBe("mine");
});

test.each([
  ["missing", "../nowhere", "held_out_missing"],
  ["inside", "src", "held_out_inside"],
  ["around it", "..", "held_out_inside"],
])("a held-out file that is %s blocks before any work", async (_, source, cause) => {
  const held = { id: "hidden", cmd: "true", files: { held: source } };
  const repo = tickRepository({ config: { verification: { held_out: [held] } } });
  expect(await runTask(repo, [NEW_X])).toMatchObject({ code: "BLOCKED_MISSING_CONFIG", cause });
  expect((await repo.relais("doctor")).stdout).toContain("held-out file");
});

test.each(PLACES)("after a kill during the check, recover leaves none of its files (%s)", async (isolation) => {
  const repo = world({ script: "", isolation });
  const started = join(repo.box, "started");
  writeFileSync(join(repo.box, "held/check.sh"), `cp src/key src/copy.ts; touch ${started}; sleep 60`);
  writeFileSync(join(repo.box, "task.json"), JSON.stringify(repo.task([NEW_X])));
  const env = { HOME: repo.box, XDG_STATE_HOME: join(repo.box, "state") };
  const child = spawn(process.execPath, [executable, "run", "--task", join(repo.box, "task.json")], {
    cwd: repo.root,
    env: environmentOf({ cwd: repo.root, env }),
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  for (let round = 0; round < 1000 && !existsSync(started); round += 1) await delay(30);
  child.kill("SIGKILL");
  await ended;
  const { document } = await repo.ask("recover");
  expect(document).toMatchObject({ kind: "recovered" });
  expect(repo.git("status", "--porcelain")).toBe("");
  const salvage = join(repo.state(), "salvage");
  const kept = readdirSync(salvage, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
  expect(kept).toContain("new");
  expect(kept).not.toContain(SECRET);
  expect(existsSync(join(repo.state(), "rescued"))).toBe(false);
});
