/**
 * What a tick costs, in counts that do not depend on the machine: the git processes that it starts, and how often it
 * waits for the disk. A higher count is a decision, and needs a reason in docs/crash-safety.md.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listSynced } from "../support/count-syncs.ts";
import { relais } from "../support/in-process.ts";
import { pinWorld } from "../support/isolation.ts";
import { tickRepository } from "../support/tick-repository.ts";

const CHECKS = [
  { id: "green", cmd: "true", args: [] },
  { id: "red", cmd: "false", args: [] },
];

interface Cost {
  readonly code: unknown;
  readonly git: readonly string[];
  readonly synced: readonly string[];
}

const IN_PLACE = { isolation: "in_place", sandbox: "off", verification: { templates: CHECKS } };
/** One for all tests: its first tick creates what later ones find. */
const repo = tickRepository({ config: IN_PLACE });

/** Puts the tree back, and commits another configuration. */
function configure(config: object): void {
  repo.git("checkout", "--quiet", ".");
  const text = JSON.stringify(pinWorld({ builder: { default_mode: "scripted" }, ...config }));
  repo.commit({ "relais.config.json": text });
}

async function measure(text: string, check: string): Promise<Cost> {
  const task = {
    ...repo.task([{ do: "write", path: "src/x.ts", text }]),
    verification: { fast: [check], slow: [] },
  };
  writeFileSync(join(repo.box, "task.json"), JSON.stringify(task));
  const variables = { HOME: repo.box, XDG_STATE_HOME: join(repo.box, "state"), RELAIS_DEBUG: "1" };
  let ran = { stdout: "", stderr: "" };
  const synced = await listSynced(async () => {
    ran = await relais(["run", "--task", join(repo.box, "task.json"), "--json"], { cwd: repo.root, env: variables });
  });
  const git = [...ran.stderr.matchAll(/^relais: .*?: \/\S+\/git (?:-c \S+ )*(?<command>\S+)/gm)];
  const report: unknown = JSON.parse(ran.stdout);
  const code = typeof report === "object" && report !== null && "code" in report ? report.code : ran.stdout;
  return { code, git: git.map(({ groups }) => groups?.["command"] ?? ""), synced };
}

/** Lines and files are safe together, at the few points where a line of the journal promises something. */
const SYNCED = [
  // The locks note this line.
  "journal.jsonl",
  // Before the builder: what was observed, with its content.
  "redo.log",
  "journal.jsonl",
  // What the session cost.
  "journal.jsonl",
  // Before the change is settled: its content and its evidence.
  "redo.log",
  "journal.jsonl",
  // What is kept or restored in the worktree.
  "x.ts",
  "src",
  // It is settled, with what undo or salvage needs.
  "redo.log",
  "journal.jsonl",
  // The end, with the report.
  "redo.log",
  "journal.jsonl",
];

test("an accepted and a reverted tick start few git processes and wait for the disk where they promise something", async () => {
  expect(await measure("first\n", "red")).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST" });
  const reverted = await measure("second\n", "red");
  expect(reverted).toEqual({
    code: "STOP_VERIFY_FAILED_FAST",
    git: ["config", "status", "ls-tree", "diff-tree"],
    // A rollback also restores the times of the task and of the folders.
    synced: SYNCED.flatMap((name) =>
      name === "x.ts" ? [name, "TASK.json"] : name === "src" ? [name, "relais", "repo"] : [name],
    ),
  });
  const accepted = await measure("third\n", "green");
  expect(accepted).toEqual({ code: "SUCCESS", git: ["config", "status", "ls-tree", "diff-tree"], synced: SYNCED });
});

test("checks that ran before the build wait for nothing: the line of the builder makes theirs safe too", async () => {
  const verification = { ...IN_PLACE.verification, baseline: "always" };
  configure({ ...IN_PLACE, verification });
  // The first tick on a base keeps what its checks said.
  expect(await measure("fourth\n", "green")).toMatchObject({ code: "SUCCESS" });
  repo.git("checkout", "--quiet", ".");
  const { code, synced } = await measure("fourth again\n", "green");
  expect([code, synced]).toEqual(["SUCCESS", SYNCED]);
});

test("in an overlay, an accepted tick waits once more: before it writes to the worktree", async () => {
  configure({ ...IN_PLACE, isolation: "overlay" });
  // The first tick in an overlay makes its folders.
  expect(await measure("fifth\n", "red")).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST" });
  const git = ["config", "status", "ls-tree", "diff-tree"];
  const reverted = SYNCED.filter((name) => name !== "x.ts" && name !== "src");
  expect(await measure("second\n", "red")).toEqual({
    code: "STOP_VERIFY_FAILED_FAST",
    git,
    synced: reverted,
  });
  const merged = [...SYNCED.slice(0, 6), "redo.log", ...SYNCED.slice(6)];
  expect(await measure("third\n", "green")).toEqual({ code: "SUCCESS", git, synced: merged });
});

test("a committed tick adds what the commit takes", async () => {
  configure({ ...IN_PLACE, git: { commit: "always" } });
  const { code, git, synced } = await measure("sixth\n", "green");
  expect(code).toBe("SUCCESS");
  // Git writes the tree, the commit and the new index, each in a private place, and syncs the objects itself.
  const commands = ["read-tree", "update-index", "diff-index", "write-tree", "commit-tree", "update-index", "add"];
  expect(git).toEqual(["config", "status", "ls-tree", "diff-tree", ...commands, "update-ref"]);
  // The index, and the names of everything before it.
  const committed = ["index.lock", ".git"];
  expect(synced).toEqual([...SYNCED.slice(0, 8), ...committed, ...SYNCED.slice(8)]);
});

test("recovery syncs the journal before it acts on it: who wrote it may have been killed before the sync", async () => {
  configure(IN_PLACE);
  expect(await measure("seventh\n", "green")).toMatchObject({ code: "SUCCESS" });
  const env = { HOME: repo.box, XDG_STATE_HOME: join(repo.box, "state") };
  expect(await listSynced(() => relais(["recover"], { cwd: repo.root, env }))).toEqual(["journal.jsonl"]);
});
