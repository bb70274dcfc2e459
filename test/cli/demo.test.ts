import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais, useExecutable } from "../support/relais.ts";
import { openScratch, scratchFolder } from "../support/scratch-repository.ts";

useExecutable();

/** A person's machine: a home and a state folder that the demonstration must leave alone. */
function machine() {
  const box = scratchFolder();
  const env = { HOME: join(box, "home"), XDG_STATE_HOME: join(box, "state"), TMPDIR: join(box, "tmp") };
  for (const folder of Object.values(env)) mkdirSync(folder);
  const demo = (...args: string[]) => relais(["demo", ...args], { cwd: box, env });
  return { box, env, demo };
}

test("the five scenes come out as told, and the repository is left for inspection", () => {
  const { box, env, demo } = machine();
  const { status, stdout, stderr } = demo("--into", "demo");
  expect(stderr).toBe("");
  const headlines = stdout.split("\n").filter((line) => /^\d\. |^ {2}relais {5}|^\d of/.test(line));
  expect(headlines.map((line) => line.replace(/, in .*/, "").trim())).toEqual([
    "1. A good change is kept",
    "relais     ✓ success SUCCESS",
    "2. An edit where none belongs is put back",
    "relais     ✗ stop STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
    "3. A false claim does not survive the check",
    "relais     ✗ stop STOP_VERIFY_FAILED_FAST",
    "4. A builder that tampers is caught",
    "relais     ✗ stop STOP_HEAD_MOVED",
    "5. A crash in the middle is recovered",
    "relais     ✗ stop STOP_INTERRUPTED",
    "5 of 5 came out as they should",
  ]);
  expect(stdout).toContain("✗ README.md: ");
  expect(stdout).toContain("✗ hooks/post-checkout: ");
  expect(stdout).toContain("relais is dead (SIGKILL)");
  expect(stdout.match(/git's own data included, are byte for byte as before/g)).toHaveLength(4);
  expect(stdout).not.toContain("NOT so");
  expect(stdout).toContain(`cd ${join(box, "demo/shop")} `);
  expect(status).toBe(0);

  const { root, git } = openScratch(box, join(box, "demo/shop"));
  expect(git("status", "--porcelain")).toBe("");
  expect(git("log", "--format=%s", "--reverse").split("\n")).toEqual([
    "feat: a small shop",
    "chore: set up relais",
    "chore(relais): Make total() count how many of each item are bought.",
  ]);
  expect(git("show", "--format=", "--name-only", "HEAD")).toBe("src/till.mjs");
  expect(readFileSync(join(root, "src/till.mjs"), "utf8")).toContain("sum + price * count, 0");
  expect(existsSync(join(root, ".git/hooks/post-checkout"))).toBe(false);
  const again = execFileSync(join(box, "demo/relais"), ["recover"], { cwd: root, encoding: "utf8" });
  expect(again).toContain("Nothing was cut short.");
  for (const folder of Object.values(env)) expect(readdirSync(folder)).toEqual([]);
});

test("a script gets one document, and a folder among the temporary files", () => {
  const { env, demo } = machine();
  const { status, stdout, stderr } = demo("--json");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const document: unknown = JSON.parse(stdout);
  expect(document).toMatchObject({
    ok: true,
    folder: expect.stringMatching(new RegExp(`^${env.TMPDIR}/relais-demo-\\w+$`)),
    steps: [
      { id: "accepted", code: "SUCCESS", committed: ["src/till.mjs"], status: [], as_told: true },
      { id: "out_of_scope", findings: [{ subject: "README.md" }], is_exact: true, as_told: true },
      { id: "failing_check", checks: [{ exit_code: 1 }], is_exact: true, as_told: true },
      { id: "tampering", verdict: "stop", is_exact: true, as_told: true },
      { id: "crash", killed_by: "SIGKILL", cause: "crash", is_exact: true, as_told: true },
    ],
  });
});

test("a folder with something in it is refused and left alone", () => {
  const { box, demo } = machine();
  for (const [into, reason] of [
    [".", "is not empty"],
    ["link", "is not a folder"],
  ] as const) {
    if (into === "link") symlinkSync("home", join(box, "link"));
    const { status, stderr } = demo("--into", into);
    expect(stderr).toContain(reason);
    expect(status).toBe(2);
  }
  expect(readdirSync(box).toSorted()).toEqual(["home", "link", "state", "tmp"]);
});

test("without git it says so and leaves nothing behind", () => {
  const { box, env } = machine();
  const { status, stdout, stderr } = relais(["demo"], { cwd: box, env: { ...env, PATH: join(box, "home") } });
  expect(stderr).toMatch(/^blocked BLOCKED_MISSING_CONFIG: git cannot be run: .+\nNext: Install git .+\n$/);
  expect({ status, stdout }).toEqual({ status: 11, stdout: "" });
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});
