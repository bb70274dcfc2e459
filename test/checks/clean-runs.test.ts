import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type TickRepository, tickRepository } from "../support/tick-repository.ts";

const PLACES = ["in_place", "overlay"] as const;
const BUILD = { cmd: "sh", args: ["build.sh"] };
const BUILD_FILE = { "build.sh": "mkdir -p dist && cp src/x.ts dist/x.js && echo built\n" };
const TEST = { id: "test", cmd: "grep", args: ["-q", "new", "dist/x.js"] };

/** A project whose check looks at its build output, with old output and dependencies that git ignores. */
function world(isolation: string, files: Readonly<Record<string, string>>, verification: object = {}): TickRepository {
  const repo = tickRepository({
    files: { ...files, ".gitignore": "/dist/\n/node_modules/\n" },
    config: { isolation, sandbox: "off", verification: { templates: [TEST], setup: [BUILD], ...verification } },
  });
  for (const folder of ["dist/deep", "node_modules/a"]) mkdirSync(join(repo.root, folder), { recursive: true });
  writeFileSync(join(repo.root, "dist/x.js"), "new, of yesterday\n");
  writeFileSync(join(repo.root, "dist/deep/old.js"), "old\n");
  writeFileSync(join(repo.root, "node_modules/a/index.js"), "a\n");
  return repo;
}

async function runTick(repo: TickRepository, text: string): Promise<unknown> {
  const task = { ...repo.task([{ do: "write", path: "src/x.ts", text }]), verification: { fast: ["test"], slow: [] } };
  writeFileSync(join(repo.box, "task.json"), JSON.stringify(task));
  return (await repo.ask("run", "--task", join(repo.box, "task.json"))).document;
}

test.each(PLACES)("old build output decides nothing, and is there again afterwards (%s)", async (isolation) => {
  const repo = world(isolation, BUILD_FILE);
  expect(await runTick(repo, "wrong\n")).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST", cause: "exit_1" });
  const test2 = {
    ...TEST,
    cmd: "sh",
    args: ["-c", "grep -q new dist/x.js && test ! -e dist/deep && test -e node_modules/a"],
  };
  const other = world(isolation, BUILD_FILE, { templates: [test2] });
  expect(await runTick(other, "new\n")).toMatchObject({
    code: "SUCCESS",
    verification: { runs: [{ template_id: "test", exit_code: 0, setup_ms: expect.any(Number) }], runs_total: 1 },
  });
  for (const { root } of [repo, other]) {
    expect(readFileSync(join(root, "dist/x.js"), "utf8")).toBe("new, of yesterday\n");
    expect(readFileSync(join(root, "dist/deep/old.js"), "utf8")).toBe("old\n");
    expect(existsSync(join(root, "node_modules/a/index.js"))).toBe(true);
  }
});

test("the runs before the build are clean as well, and the report says what they took", async () => {
  const red = world("in_place", BUILD_FILE, { baseline: "always" });
  expect(await runTick(red, "new\n")).toMatchObject({ code: "BLOCKED_BASELINE_RED" });
  const verification = { baseline: "always", templates: [{ ...TEST, args: ["-q", ".", "dist/x.js"] }] };
  const repo = world("in_place", BUILD_FILE, verification);
  expect(await runTick(repo, "new\n")).toMatchObject({
    code: "SUCCESS",
    verification: { baseline: [{ template_id: "test", exit_code: 0, setup_ms: expect.any(Number) }] },
  });
  expect(readFileSync(join(repo.root, "relais/REPORT.md"), "utf8")).toContain(
    "more before the build and for the setup",
  );
});
