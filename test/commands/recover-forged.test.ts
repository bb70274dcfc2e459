/** A builder kills relais and forges everything that recovery reads: nothing forged is written without a person. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main as runMain } from "../../src/main.ts";
import { type Forgery, forge } from "../support/forger.ts";
import { relais } from "../support/in-process.ts";
import { inWorld } from "../support/scenario.ts";
import { watch } from "../support/scenario-ending.ts";
import type { World } from "../support/scenario-world.ts";
import { sitAtTerminal } from "../support/terminal.ts";
import { differences } from "../support/walker.ts";

const KILL_RELAIS = {
  do: "run",
  argv: ["sh", "-c", 'kill -9 "$(ps -o ppid= -p "$PPID" | tr -d " ")"'],
  may_fail: true,
};
/** All of this is honest work, so its recovery needs no question. */
const WORK = [
  { do: "write", path: "src/main.ts", text: "half\n" },
  { do: "write", path: "src/new/deep.ts", text: "new\n" },
  { do: "write", path: "dist/app.js", text: "built again\n" },
  { do: "delete", path: "src/other.ts" },
  { do: "run", argv: ["git", "add", "--all"] },
];
const CRASHED = { config: { isolation: "in_place" }, ownProcess: true, steps: [...WORK, KILL_RELAIS] };

const placeOf = (world: World) => ({ root: world.root, state: world.state() });

interface Attack {
  readonly forgery: (world: World) => Forgery;
  /** Must be among the steps that are shown. */
  readonly shown: string;
}

const attack = (forgery: Forgery | ((world: World) => Forgery), shown: string): Attack => ({
  forgery: typeof forgery === "function" ? forgery : () => forgery,
  shown,
});

/** The path of a loose object in git's folder. */
const objectOf = (world: World, name: string): string =>
  world.git("rev-parse", name).replace(/^(..)(.+)$/, "objects/$1/$2");

/** The index of the commit, with something done to it. */
function indexWith(world: World, ...args: string[]): Buffer {
  const index = join(world.box, "forged-index");
  const env = { ...world.environment, GIT_INDEX_FILE: index };
  const git = (...rest: string[]) => execFileSync("git", rest, { cwd: world.root, env });
  git("read-tree", "HEAD");
  git(...args);
  return readFileSync(index);
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  "a changed file": attack({ files: { "src/main.ts": "evil\n" } }, "write src/main.ts"),
  "a file that nobody touched": attack({ files: { "docs/guide.md": "evil\n" } }, "write docs/guide.md"),
  "a file that never was": attack({ files: { "src/planted.ts": "evil\n" } }, "write src/planted.ts"),
  "a secret": attack({ files: { ".env": "SECRET=evil\n" } }, "write .env"),
  "a dependency": attack({ files: { "node_modules/dep/index.js": "evil\n" } }, "write node_modules/dep/index.js"),
  "the configuration": attack({ files: { "relais.config.json": "{}\n" } }, "write relais.config.json"),
  "a committed file left out": attack({ files: { "docs/guide.md": null } }, "remove docs/guide.md"),
  "a secret left out": attack({ files: { ".env": null } }, "remove .env"),
  "a file with the rights of its owner": attack({ entries: { "src/main.ts": { mode: 0o4755 } } }, "write src/main.ts"),
  "a file that everybody may write": attack({ entries: { "docs/guide.md": { mode: 0o666 } } }, "mode docs/guide.md"),
  "a link for a file": attack(
    { entries: { "src/main.ts": { type: "symlink", target: "../../home/secret", id: null } } },
    "write src/main.ts",
  ),
  "a hook": attack({ git: { "hooks/pre-commit": "#!/bin/sh\nevil\n" } }, "write git: hooks/pre-commit"),
  "git's configuration": attack({ git: { config: "[core]\n\tfsmonitor = evil\n" } }, "write git: config"),
  "ignore rules": attack({ git: { "info/exclude": "src\n" } }, "write git: info/exclude"),
  "a branch": attack({ git: { "refs/heads/other": `${"0".repeat(40)}\n` } }, "write git: refs/heads/other"),
  "a flag in the index": attack(
    (world) => ({ git: { index: indexWith(world, "update-index", "--assume-unchanged", "src/main.ts") } }),
    "write git: index",
  ),
  "staged content": attack(
    (world) => ({
      git: {
        index: indexWith(
          world,
          "update-index",
          "--cacheinfo",
          `100644,${world.git("hash-object", "-w", "README.md")},src/main.ts`,
        ),
      },
    }),
    "write git: index",
  ),
  "the commit left out": attack((world) => ({ git: { [objectOf(world, "HEAD")]: null } }), "remove git: objects/"),
  "a committed content left out": attack(
    (world) => ({ git: { [objectOf(world, "HEAD:docs/guide.md")]: null } }),
    "remove git: objects/",
  ),
  "another place for reports": attack({ config: { workspace_dir: "docs" } }, "write docs/"),
  "another place for the history": attack({ config: { history: { dir: "src/history" } } }, "write src/history/"),
};

test("without a person nothing forged is written, each path is named, and an honest recovery is quiet", () =>
  inWorld(CRASHED, async (world) => {
    const before = watch(world);
    expect(await world.run()).toMatchObject({ status: null });
    const crashed = watch(world);
    for (const [name, { forgery, shown }] of Object.entries(ATTACKS)) {
      const undo = await forge(placeOf(world), forgery(world));
      const { stdout, status } = await relais(["recover", "--json"], { cwd: world.root, env: world.environment });
      const { cause, rollback = [] } = JSON.parse(stdout);
      expect({ name, status, cause }).toEqual({ name, status: 11, cause: "unproven_rollback" });
      const steps = rollback.map(({ act, path }: { act: string; path: string }) => `${act} ${path}`);
      expect({ name, steps: steps.filter((step: string) => step.startsWith(shown)) }).not.toEqual({ name, steps: [] });
      expect(steps.length).toBeLessThan(6);
      expect({ name, changed: differences(crashed, watch(world)) }).toEqual({ name, changed: [] });
      undo();
    }
    const honest = await world.relais(["recover", "--json"]);
    expect(honest).toMatchObject({ status: 0, stderr: "" });
    expect(differences(before, watch(world))).toEqual([]);
  }));

test("a yes on the terminal is all that it takes", () =>
  inWorld(CRASHED, async (world) => {
    expect(await world.run()).toMatchObject({ status: null });
    await forge(placeOf(world), { files: { ".env": "SECRET=evil\n" } });
    const person = sitAtTerminal({ cwd: world.root, env: world.environment });
    const ended = runMain(["recover"], person.terminal);
    await person.press("y");
    expect(await ended).toBe(0);
    expect(world.read(".env")).toBe("SECRET=evil\n");
  }));
