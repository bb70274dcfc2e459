/** What a person has not committed, whatever it is: nothing of it is lost by `run --dirty` and what comes after it. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { FIX, MINE, openDirty, PLACES, readId, readStatus, SENTENCE } from "../support/dirty-world.ts";
import type { SentenceWorld } from "../support/sentence-world.ts";

describe.each(PLACES)("in %s,", (isolation) => {
  test.concurrent("only the path that was touched must be committed before the change is accepted", async () => {
    const world = openDirty({ isolation, does: "echo theirs >> lib/rates.js" });
    const { document } = await world.ask("run", SENTENCE, "--dirty", "--allow", "lib/**");
    expect(document).toMatchObject({ cause: "dirty_path", uncommitted: 4 });
    expect(await world.ask("accept", readId(world))).toMatchObject({
      status: 10,
      document: { problems: ["lib/rates.js"] },
    });
    world.git("commit", "--quiet", "--message", "mine", "--", "lib/rates.js");
    expect(await world.ask("accept", readId(world))).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
    expect(world.git("show", "--name-only", "--format=")).toBe("lib/rates.js");
    expect(readStatus(world)).toEqual(MINE.filter((line) => !line.includes("rates")).toSorted());
    expect(await world.ask("history", "replay")).toMatchObject({ status: 0 });
  });

  test.concurrent("a kept change is decided first, and salvage is not written over what is not committed", async () => {
    const world = openDirty({ isolation, does: "echo theirs >> lib/rates.js; rm lib/new.js" });
    expect(await world.ask("run", SENTENCE, "--dirty", "--allow", "lib/**")).toMatchObject({ status: 14 });
    const refused = { status: 10, document: { cause: "dirty_worktree", problems: ["lib/new.js", "lib/rates.js"] } };
    expect(await world.ask("salvage", "apply")).toMatchObject(refused);
    expect(readStatus(world)).toEqual(MINE.toSorted());
    world.git("commit", "--quiet", "--all", "--message", "mine");
    world.git("add", "lib/new.js");
    world.git("commit", "--quiet", "--message", "new");
    expect(await world.ask("salvage", "apply")).toMatchObject({ status: 0 });
    expect(readStatus(world)).toEqual(["D lib/new.js", "M lib/rates.js"]);
  });

  test.concurrent("what an earlier tick left waits for its decision", async () => {
    const world = openDirty({ isolation, does: FIX });
    expect(await world.ask("run", SENTENCE, "--dirty")).toMatchObject({ status: 0 });
    const waits = { status: 11, document: { cause: "change_waits", message: expect.stringContaining("src/greet.js") } };
    expect(await world.ask("run", SENTENCE, "--dirty")).toMatchObject(waits);
    expect(await world.ask("accept")).toMatchObject({ status: 0 });
    expect(await world.ask("run", SENTENCE, "--dirty")).toMatchObject({ status: 0 });
  });

  test.concurrent("a red check is repaired on the same base, by itself and by a person's word", async () => {
    const does = 'echo "// $n" >> src/greet.js; cat lib/rates.js >> "${0%/*}/seen"';
    const world = openDirty({ isolation, does, check: "grep -q 2 src/greet.js" });
    const first = await world.ask("run", SENTENCE, "--dirty", "--repairs", "1", "--fixes", "check");
    expect(first).toMatchObject({ status: 10, document: { uncommitted: 4, repairs: [expect.any(String)] } });
    expect(readStatus(world)).toEqual(MINE.toSorted());
    expect(await world.ask("fix")).toMatchObject({ status: 0, document: { code: "SUCCESS", repair: { number: 3 } } });
    expect(readFileSync(join(world.box, "bin/seen"), "utf8")).toBe("mine\n".repeat(3));
    expect(world.read("src/greet.js")).toMatch(/\/\/ 0\n\/\/ 1\n\/\/ 2\n$/u);
    expect(readStatus(world)).toEqual([...MINE, "M src/greet.js"].toSorted());
  });

  test.concurrent("the agent is not blamed for what the person did before", async () => {
    const world = openDirty({ isolation, does: FIX });
    world.put({ "test/greet.test.js": "test.skip('all', () => {});\n", "lib/new.js": "// eslint-disable-next-line\n" });
    const { document } = await world.ask("run", SENTENCE, "--dirty");
    expect(document).toMatchObject({ code: "SUCCESS", findings: [], scope: { touched_paths: ["src/greet.js"] } });
  });

  test.concurrent.each(["mine", "committed"])(
    "what the person writes while the checks see what is %s stays, and the change too",
    async (seen) => {
      const wait = ': > "$HOME/asks"; until test -f "$HOME/goes"; do /bin/sleep 0.1; done';
      const world = openDirty({ isolation, does: FIX, check: `if grep -q ${seen} lib/rates.js; then ${wait}; fi` });
      world.put({ "lib/own/new.js": "new\n" });
      const run = world.ask("run", SENTENCE, "--dirty");
      while (!existsSync(join(world.box, "asks"))) await delay(20);
      world.put({ "lib/rates.js": "mine, later\n", "lib/later.js": "later\n", "lib/own/later.js": "later\n" });
      writeFileSync(join(world.box, "goes"), "");
      expect(await run).toMatchObject({ document: { code: "SUCCESS", scope: { touched_paths: ["src/greet.js"] } } });
      expect(world.read("lib/rates.js")).toBe("mine, later\n");
      expect(readStatus(world)).toEqual(
        [...MINE, "?? lib/later.js", "?? lib/own/later.js", "?? lib/own/new.js", "M src/greet.js"].toSorted(),
      );
    },
  );
});

const BEFORE = {
  ".gitignore": "*.log\n",
  "mine/modified": "old\n",
  "mine/staged": "old\n",
  "mine/both": "old\n",
  "mine/deleted": "old\n",
  "mine/removed": "old\n",
  "mine/renamed": "renamed\n",
  "mine/mode": "#!/bin/sh\n",
  "mine/folder/file": "a file of a folder\n",
  "mine/file": "a file\n",
  "mine/linked/file": "behind a folder\n",
  "mine/space in it": "old\n",
};

/** Everything that a person may have left uncommitted. */
function makeDirt(world: SentenceWorld): void {
  const at = (path: string): string => join(world.root, "mine", path);
  world.put({ "mine/staged": "new\n", "mine/both": "staged\n", "mine/added": "added\n", "mine/intent": "intent\n" });
  world.git("add", "mine/staged", "mine/both", "mine/added");
  world.git("add", "--intent-to-add", "mine/intent");
  world.put({
    "mine/modified": "new\n",
    "mine/both": "and modified\n",
    "mine/new/deep/er": "new\n",
    "mine/a.log": "log\n",
  });
  world.put({ "mine/space in it": "new\n", "mine/line\nbreak": "new\n", "mine/ünï": "new\n", "mine/empty": "" });
  rmSync(at("deleted"));
  world.git("rm", "--quiet", "mine/removed");
  world.git("mv", "mine/renamed", "mine/moved");
  chmodSync(at("mode"), 0o755);
  symlinkSync("modified", at("link"));
  writeFileSync(Buffer.concat([Buffer.from(at("bytes-")), Buffer.from([0xff])]), "not UTF-8\n");
  for (const [path, make] of [
    ["folder", () => writeFileSync(at("folder"), "a folder before\n")],
    ["file", () => world.put({ "mine/file/inside": "a file before\n" })],
    ["linked", () => symlinkSync("new", at("linked"))],
  ] as const) {
    rmSync(at(path), { recursive: true });
    make();
  }
  mkdirSync(at("nested"));
  world.git("init", "--quiet", "mine/nested");
  world.put({ "mine/nested/own": "own\n" });
}

/** By path: all that git and the file system know of what is a person's. */
function readMine(world: SentenceWorld): readonly string[] {
  const look = (folder: Buffer): readonly string[] =>
    readdirSync(folder, { encoding: "buffer" }).flatMap((name) => {
      const path = Buffer.concat([folder, Buffer.from("/"), name]);
      const { mode } = lstatSync(path);
      const kind = mode & 0o170000;
      if (kind === 0o040000) return [`${path.toString("latin1")} ${mode}`, ...look(path)];
      const content = kind === 0o120000 ? readlinkSync(path) : readFileSync(path, "latin1");
      return [`${path.toString("latin1")} ${mode} ${content}`];
    });
  const said = [
    ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignored", "--", "mine"],
    ["diff", "--cached", "--binary", "--", "mine"],
    ["diff", "--binary", "--", "mine"],
    ["ls-files", "-t", "--stage", "-z", "--", "mine"],
    ["ls-files", "--debug", "--", "mine/intent"],
  ].map((args) => world.git(...args).replaceAll(/^ .*(?:ctime|mtime|dev|uid|size).*$/gmu, ""));
  return [...said, ...look(Buffer.from(join(world.root, "mine"))).toSorted()];
}

describe.each(PLACES)("whatever is not committed, in %s,", (isolation) => {
  const CHECK = 'test -f src/greet.js; echo "$(cat mine/modified)" mine/* >> "$HOME/looks"';
  const open = (does: string, git?: object): SentenceWorld => {
    const world = openDirty({ isolation, does, check: CHECK, files: BEFORE, ...(git && { git }) });
    makeDirt(world);
    return world;
  };

  test.concurrent(
    "stays as it is when the change is kept, committed, undone, and where the agent touches it",
    async () => {
      const world = open("echo '// world' >> src/greet.js");
      const before = readMine(world);
      expect(await world.ask("run", SENTENCE, "--dirty")).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
      expect(readMine(world)).toEqual(before);
      expect(await world.ask("undo")).toMatchObject({ status: 0 });
      expect(readMine(world)).toEqual(before);
      expect(world.read("src/greet.js")).not.toContain("world'; // world");
      expect(await world.ask("run", SENTENCE, "--dirty")).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
      expect(await world.ask("accept")).toMatchObject({ status: 0 });
      expect(readMine(world)).toEqual(before);
      expect(world.git("show", "--name-only", "--format=")).toBe("src/greet.js");
      expect(await world.ask("undo")).toMatchObject({ status: 10, document: { cause: "dirty" } });
      expect(readMine(world)).toEqual(before);
    },
  );

  test.concurrent("the checks see what a commit would hold", async () => {
    const world = open("echo '// world' >> src/greet.js", { commit: "always" });
    const before = readMine(world);
    expect(await world.ask("run", SENTENCE, "--dirty")).toMatchObject({
      status: 0,
      document: { settle: { action: "commit" } },
    });
    expect(readMine(world)).toEqual(before);
    const committed = "old  both deleted file folder linked mode modified nested removed renamed space in it staged";
    const looks = readFileSync(join(world.box, "looks"), "latin1").trim().split("\n");
    expect(looks.at(-1)?.replaceAll(/mine\/(?:a\.log)?/gu, "")).toBe(committed);
  });

  test.concurrent("is no loss when the agent removes it, and the change is held", async () => {
    const world = open(
      "rm -rf mine/new mine/staged mine/link mine/file; echo theirs > mine/modified; echo theirs > mine/renamed",
    );
    const before = readMine(world);
    const { document } = await world.ask("run", SENTENCE, "--dirty", "--only", "mine/**");
    expect(document).toMatchObject({ code: "STOP_SUSPECT", cause: "dirty_path", message: null });
    expect(readMine(world)).toEqual(before);
  });
});
