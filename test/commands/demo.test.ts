import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test, vi } from "vitest";
import { demoSpec } from "../../src/commands/demo-spec.ts";
import { DEMO_ACTS } from "../../src/setup/demo-acts.ts";
import { relais } from "../support/relais.ts";
import { openScratch, scratchFolder } from "../support/scratch-repository.ts";

// Every act is a whole series of ticks, and a busy machine takes its time.
vi.setConfig({ testTimeout: 240_000 });

/** A person's machine: a home and a state folder that the demonstration must leave alone. */
function machine() {
  const box = scratchFolder();
  const env = { HOME: join(box, "home"), XDG_STATE_HOME: join(box, "state"), TMPDIR: join(box, "tmp") };
  for (const folder of Object.values(env)) mkdirSync(folder);
  const demo = (...args: string[]) => relais(["demo", ...args], { cwd: box, env });
  return { box, env, demo };
}

test("the five scenes come out as told, and the repository is left for inspection", async () => {
  const { box, env, demo } = machine();
  const { status, stdout, stderr } = await demo("tick", "--into", "demo");
  expect(stderr).toBe("");
  const headlines = stdout.split("\n").filter((line) => /^\d\. |^ {2}\$ |✓ it ended with|^\d of/.test(line));
  expect(headlines.map((line) => line.replace(/, in .*/, "").trim())).toEqual([
    "1. A good change is kept",
    "$ relais run --task ../tasks/accepted.json",
    "$ relais accept",
    "proof      ✓ it ended with SUCCESS",
    "2. An edit outside the task is reverted",
    "$ relais run --task ../tasks/out_of_scope.json",
    "proof      ✓ it ended with STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
    "3. A false claim fails the check",
    "$ relais run --task ../tasks/failing_check.json",
    "proof      ✓ it ended with STOP_VERIFY_FAILED_FAST",
    "4. A tampering builder is caught",
    "$ relais run --task ../tasks/tampering.json",
    "proof      ✓ it ended with STOP_HEAD_MOVED",
    "5. A crash is recovered",
    "$ relais run --task ../tasks/crash.json",
    "$ git status --short",
    "$ relais recover",
    "✓ it ended with STOP_INTERRUPTED",
    "5 of 5 as expected",
  ]);
  expect(stdout).toContain("✗ README.md: ");
  expect(stdout).toContain("relais was killed (SIGKILL)");
  expect(stdout).toMatch(/\n {2}│ {2}M src\/till\.mjs\n/);
  expect(stdout.match(/git's own data included, are byte for byte as before/g)).toHaveLength(4);
  expect(stdout).not.toContain("NOT so");
  expect(stdout).toContain(`cd ${join(box, "demo/shop")} `);
  expect(status).toBe(0);

  const { root, git } = openScratch(box, join(box, "demo/shop"));
  expect(git("status", "--porcelain")).toBe("");
  expect(git("log", "--format=%s", "--reverse").split("\n")).toEqual([
    "feat: a small shop",
    "Make total() count how many of each item are bought.",
  ]);
  expect(git("show", "--format=", "--name-only", "HEAD")).toBe("src/till.mjs");
  expect(readFileSync(join(root, "src/till.mjs"), "utf8")).toContain("sum + price * count, 0");
  expect(existsSync(join(root, ".git/hooks/post-checkout"))).toBe(false);
  const again = execFileSync(join(box, "demo/relais"), ["recover"], { cwd: root, encoding: "utf8" });
  expect(again).toContain("Nothing to recover.");
  for (const folder of Object.values(env)) expect(readdirSync(folder)).toEqual([]);
});

const Document = v.object({
  ok: v.literal(true),
  folder: v.string(),
  acts: v.array(v.object({ id: v.string(), repository: v.string(), steps: v.array(v.unknown()) })),
});

test("a script gets one document with every act, and a folder among the temporary files", async () => {
  const { box, env, demo } = machine();
  const { status, stdout, stderr } = await demo("--json");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const { folder, acts } = v.parse(Document, JSON.parse(stdout));
  expect(folder).toMatch(new RegExp(`^${env.TMPDIR}/relais-demo-\\w+$`));
  expect(acts.map(({ id }) => id)).toEqual(DEMO_ACTS.map(({ id }) => id));
  const [tick, tree, goal, campaign] = acts;
  expect(tick?.steps).toMatchObject([
    { id: "accepted", code: "SUCCESS", committed: ["src/till.mjs"], status: [], as_told: true },
    { id: "out_of_scope", findings: [{ subject: "README.md" }], is_exact: true, as_told: true },
    { id: "failing_check", checks: [{ exit_code: 1 }], is_exact: true, as_told: true },
    {
      id: "tampering",
      verdict: "stop",
      findings: expect.arrayContaining([expect.objectContaining({ subject: "hooks/post-checkout" })]),
      is_exact: true,
      as_told: true,
    },
    {
      id: "crash",
      killed_by: "SIGKILL",
      damage: [" D check/till.mjs", " M src/till.mjs"],
      cause: "crash",
      is_exact: true,
      as_told: true,
    },
  ]);
  expect(tree?.steps).toMatchObject([
    { id: "begin", commands: [{ line: "relais tree init" }, {}, {}, { status: 0 }], as_told: true },
    { id: "decompose", commands: [{}, { line: "relais tree show" }], as_told: true },
    { id: "fail", commands: [{ stdout: expect.stringContaining("STOP_GUARD_FAILED") }], as_told: true },
    {
      id: "finish",
      commands: [{}, { stdout: expect.stringContaining("3 of 3 nodes pass. The root passes.") }],
      claims: [{ holds: true }, { holds: true }, { holds: true }, { claim: "git status is clean" }],
      as_told: true,
    },
  ]);
  expect(goal?.steps).toMatchObject([
    { id: "turn", commands: [{ status: 14 }, { stdout: expect.stringContaining("evidence no valid answer") }] },
    { id: "resume", commands: [{ status: 0 }, {}], as_told: true },
    {
      id: "handoff",
      commands: [{ stdout: expect.stringContaining("nothing was pushed") }, {}],
      as_told: true,
    },
  ]);
  expect(campaign?.steps).toMatchObject([
    { id: "contract", as_told: true },
    {
      id: "run",
      commands: [{ stdout: expect.stringContaining("STOP_VERIFY_FAILED_SLOW") }, {}],
      as_told: true,
    },
  ]);
  const { root, git } = openScratch(box, tree?.repository ?? "");
  expect(git("status", "--porcelain")).toBe("");
  expect(
    git("log", "--format=%s", "--reverse")
      .replaceAll(/run \S+ /g, "")
      .split("\n")
      .slice(1),
  ).toEqual([
    "chore: a goal to work on",
    "chore(loop): iter 0001 node root decompose guard=skipped",
    "chore(loop): iter 0002 node fahrenheit execute guard=fail",
    "chore(loop): iter 0003 node fahrenheit execute guard=pass",
    "chore(loop): iter 0004 node celsius execute guard=pass",
  ]);
  execFileSync(process.execPath, ["check.mjs"], { cwd: root });
}, 300_000);

test("an act that nobody wrote is refused, and help names those that there are", async () => {
  const { env, demo } = machine();
  expect(await demo("tre")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('did you mean "tree"?'),
  });
  expect(readdirSync(env.TMPDIR)).toEqual([]);
  const ids = ["all", ...DEMO_ACTS.map(({ id }) => id)];
  expect(demoSpec.subcommands.map(({ name }) => name)).toEqual(ids);
});

test("a folder with something in it is refused and left alone", async () => {
  const { box, demo } = machine();
  for (const [into, reason] of [
    [".", "is not empty"],
    ["link", "is not a folder"],
  ] as const) {
    if (into === "link") symlinkSync("home", join(box, "link"));
    const { status, stderr } = await demo("--into", into);
    expect(stderr).toContain(reason);
    expect(status).toBe(2);
  }
  expect(readdirSync(box).toSorted()).toEqual(["home", "link", "state", "tmp"]);
});

test("without git it says so and leaves nothing behind", async () => {
  const { box, env } = machine();
  const { status, stdout, stderr } = await relais(["demo"], {
    cwd: box,
    env: { ...env, PATH: join(box, "home") },
  });
  expect(stderr).toMatch(/^blocked BLOCKED_MISSING_CONFIG: git cannot be run: .+\nNext: Install git .+\n$/);
  expect({ status, stdout }).toEqual({ status: 11, stdout: "" });
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});
