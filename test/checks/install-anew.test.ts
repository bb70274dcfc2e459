/** Where a change installs dependencies, the checks see what the lockfile names and not what the builder left. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type TickRepository, tickRepository } from "../support/tick-repository.ts";

const FORGED = "module.exports = 42;\n";
const CHECK = (answer: number) => ({
  id: "test",
  cmd: process.execPath,
  args: ["-e", `if (require("dep") !== ${answer}) process.exit(1)`],
});

/** A project with one installed package, which comes from a tarball of its own. */
function world(isolation: string, answer: number): TickRepository {
  const repo = tickRepository({
    files: {
      ".gitignore": "/node_modules/\n",
      "dep/package.json": '{ "name": "dep", "version": "1.0.0" }\n',
      "dep/index.js": "module.exports = 41;\n",
      "package.json": '{ "name": "app", "version": "1.0.0" }\n',
    },
    config: { isolation, sandbox: "off", verification: { templates: [CHECK(answer)], baseline: "off" } },
  });
  const npm = (...args: string[]) => execFileSync("npm", args, { cwd: repo.root, stdio: "ignore" });
  npm("pack", "./dep");
  npm("install", "--offline", "--no-audit", "--no-fund", "./dep-1.0.0.tgz");
  repo.git("add", "-A");
  repo.git("commit", "-qm", "a dependency");
  return repo;
}

async function runTick(repo: TickRepository, lockfile: string): Promise<unknown> {
  const steps = [
    { do: "write", path: "package-lock.json", text: lockfile },
    { do: "write", path: "node_modules/dep/index.js", text: FORGED },
  ];
  const scope = { allowed_globs: ["package-lock.json"], forbidden_globs: [], allow_new_files: true };
  const task = {
    ...repo.task(steps),
    scope: { ...scope, allow_lockfile_changes: true },
    verification: { fast: ["test"], slow: [] },
  };
  writeFileSync(join(repo.box, "task.json"), JSON.stringify(task));
  return (await repo.ask("run", "--task", join(repo.box, "task.json"))).document;
}

const readLockfile = ({ root }: TickRepository): string => readFileSync(join(root, "package-lock.json"), "utf8");

test.each(["in_place", "overlay"])("forged dependencies decide nothing (%s)", async (isolation) => {
  const forged = world(isolation, 42);
  expect(await runTick(forged, `${readLockfile(forged)}\n`)).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST" });
  expect(readFileSync(join(forged.root, "node_modules/dep/index.js"), "utf8")).toBe("module.exports = 41;\n");
  const honest = world(isolation, 41);
  expect(await runTick(honest, `${readLockfile(honest)}\n`)).toMatchObject({
    code: "SUCCESS",
    verification: { runs: [{ template_id: "test", setup_ms: expect.any(Number) }] },
  });
});

test("a lockfile that cannot be installed stops the tick", async () => {
  const repo = world("in_place", 42);
  const lockfile = readLockfile(repo).replaceAll(/sha512-[^"]+/gu, `sha512-${"A".repeat(86)}==`);
  expect(await runTick(repo, lockfile)).toMatchObject({
    code: "STOP_VERIFY_FAILED_FAST",
    cause: "install_failed",
    verification: { runs: [{ template_id: "install", cmd: "npm" }] },
  });
});

const PACKAGE = { name: "app", version: "1.0.0", dependencies: { dep: "1.0.0" } };
const LOCKFILE = {
  name: "app",
  version: "1.0.0",
  lockfileVersion: 3,
  requires: true,
  packages: {
    "": PACKAGE,
    "node_modules/dep": {
      version: "1.0.0",
      // Nobody listens there.
      resolved: "http://127.0.0.1:9/dep-1.0.0.tgz",
      integrity: `sha512-${"A".repeat(86)}==`,
    },
  },
};

test("without a network the checks run with what is there, and a note says so", async () => {
  const repo = tickRepository({
    files: {
      ".gitignore": "/node_modules/\n",
      ".npmrc": "fetch-retries=0\n",
      "package.json": JSON.stringify(PACKAGE),
      "package-lock.json": JSON.stringify(LOCKFILE),
    },
    config: { isolation: "in_place", sandbox: "off", verification: { templates: [CHECK(42)], baseline: "off" } },
  });
  repo.put({ "node_modules/dep/index.js": "module.exports = 41;\n" });
  expect(await runTick(repo, `${JSON.stringify(LOCKFILE)}\n`)).toMatchObject({
    code: "SUCCESS",
    notes: expect.arrayContaining([
      expect.stringMatching(/with the dependencies of the builder: `npm ci.*no network/u),
    ]),
  });
});
