import { expect, test } from "vitest";
import { listInstallCommands } from "../../../src/checks/pure/config-text.ts";
import { change, rules } from "../../support/evidence.ts";

const allowed = rules({
  allow_lockfile_changes: true,
  lockfiles: ["package-lock.json", "pnpm-lock.yaml", "yarn.lock"],
});

test("a changed lockfile says how its dependencies are made", () => {
  const changes = [change("package-lock.json"), change("web/pnpm-lock.yaml")];
  expect(listInstallCommands({ changes, rules: allowed })).toEqual([
    { cmd: "npm", args: ["ci", "--no-audit", "--no-fund", "--prefix", "."], makes: "node_modules" },
    { cmd: "pnpm", args: ["install", "--frozen-lockfile", "--dir", "web"], makes: "web/node_modules" },
  ]);
});

test("nothing is made where lockfiles must not change, or none did", () => {
  const changes = [change("package-lock.json")];
  expect(listInstallCommands({ changes, rules: { ...allowed, allow_lockfile_changes: false } })).toEqual([]);
  expect(listInstallCommands({ changes: [change("src/a.ts")], rules: allowed })).toEqual([]);
  expect(listInstallCommands({ changes: [change("package-lock.json", { after: null })], rules: allowed })).toEqual([]);
});

test("a file that is called like a member of every object is no lockfile", () => {
  const changes = ["constructor", "src/toString", "__proto__"].map((path) => change(path));
  expect(listInstallCommands({ changes: [change("package-lock.json"), ...changes], rules: allowed })).toHaveLength(1);
});
