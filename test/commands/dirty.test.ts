/** `run --dirty`: a tick that begins with what a person has not committed, and commits only its own change. */
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
import { sentenceWorld, type SentenceWorld } from "../support/sentence-world.ts";
import { listIsolations } from "../support/isolations.ts";

const SENTENCE = "greet the world";
const PLACES = (await listIsolations()).filter((name) => name !== "in_place");

interface Parts {
  readonly isolation: string;
  readonly does: string;
  /** A shell script: the check. */
  readonly check?: string;
  readonly git?: object;
  readonly files?: Readonly<Record<string, string>>;
}

/** In a tree with a changed, a staged, a deleted and a new file. */
function openDirty({ isolation, does, check = "test -f src/greet.js", git, files: others = {} }: Parts): SentenceWorld {
  const verification = { templates: [{ id: "check", cmd: "sh", args: ["-c", check] }] };
  const config = { isolation, verification, builder: { default_mode: "claude_code" }, ...(git && { git }) };
  const files = {
    ...others,
    "relais.config.json": JSON.stringify(config),
    "lib/old.js": "old\n",
    "lib/rates.js": "committed\n",
  };
  const world = sentenceWorld({ agents: { claude: "in" }, files, does });
  world.put({ "lib/rates.js": "mine\n", "lib/staged.js": "staged\n", "lib/new.js": "new\n" });
  world.git("add", "lib/staged.js");
  rmSync(join(world.root, "lib/old.js"));
  return world;
}

const MINE = ["A  lib/staged.js", "D lib/old.js", "M lib/rates.js", "?? lib/new.js"];
const readStatus = (world: SentenceWorld): readonly string[] =>
  world
    .git("status", "--porcelain", "--untracked-files=all")
    .split("\n")
    .map((line) => line.trim())
    .toSorted();

const FIX = "echo '// world' >> src/greet.js";

describe.each(PLACES)("in %s", (isolation) => {
  test.concurrent("the change is kept and committed alone, and what was staged stays staged", async () => {
    const does = `cat > "$0.prompt"; ${FIX}; echo lib/* > "\${0%/*}/seen"; cat lib/rates.js >> "\${0%/*}/seen"`;
    const world = openDirty({ isolation, does });
    expect(await world.ask("run", SENTENCE, "--dirty")).toMatchObject({
      status: 0,
      document: { code: "SUCCESS", scope: { touched_paths: ["src/greet.js"] }, isolation },
    });
    expect(readFileSync(join(world.box, "bin/seen"), "utf8")).toBe("lib/new.js lib/rates.js lib/staged.js\nmine\n");
    expect(readFileSync(join(world.box, "bin/claude.prompt"), "utf8")).toMatch(
      /has not committed these files[\s\S]*\nlib\/old\.js\nlib\/rates\.js\nlib\/staged\.js\n/u,
    );
    expect(world.read("relais/REPORT.md")).toContain("- On top of it: 4 uncommitted files");
    expect(readStatus(world)).toEqual([...MINE, "M src/greet.js"].toSorted());
    expect(await world.ask("accept")).toMatchObject({ status: 0 });
    expect(world.git("show", "--name-only", "--format=", "HEAD")).toBe("src/greet.js");
    expect(readStatus(world)).toEqual(MINE.toSorted());
    expect(await world.ask("history", "replay")).toMatchObject({ status: 0 });
  });

  test.concurrent(
    "the checks see the commit, too: without the person's files, and with those that they removed",
    async () => {
      const check = 'echo "$(cat lib/rates.js)" lib/* >> "$HOME/looks"';
      const world = openDirty({ isolation, does: FIX, check });
      expect(await world.ask("run", SENTENCE, "--dirty", "--commit")).toMatchObject({
        status: 0,
        document: {
          settle: { action: "commit" },
          verification: { runs: [{ template_id: "check" }, { template_id: "check", committed: true }] },
        },
      });
      const looks = readFileSync(join(world.box, "looks"), "utf8").trim().split("\n");
      expect(looks.at(-1)).toBe("committed lib/old.js lib/rates.js");
      expect(new Set(looks.slice(0, -1))).toEqual(new Set(["mine lib/new.js lib/rates.js lib/staged.js"]));
      expect(readStatus(world)).toEqual(MINE.toSorted());
      expect(world.git("log", "-1", "--format=", "--name-only")).toBe("src/greet.js");
    },
  );

  test.concurrent("a change that needs the person's files is held until these are committed", async () => {
    const world = openDirty({ isolation, does: FIX, check: "grep -q mine lib/rates.js" });
    const { status, stdout } = await world.relais("run", SENTENCE, "--dirty");
    expect({ status, stdout: stdout.replaceAll(/\s+/gu, " ") }).toMatchObject({
      status: 14,
      stdout: expect.stringMatching(
        /needs something that you have not committed: .*lib\/rates\.js.*STOP_SUSPECT \(needs_uncommitted\)/,
      ),
    });
    expect(readStatus(world)).toEqual(MINE.toSorted());
    await settle(world);
  });

  test.concurrent("a change of the person's files is held until these are committed", async () => {
    const world = openDirty({ isolation, does: "echo theirs >> lib/rates.js" });
    expect(await world.ask("run", SENTENCE, "--dirty", "--allow", "lib/**")).toMatchObject({
      status: 14,
      document: { code: "STOP_SUSPECT", cause: "dirty_path", findings: [{ subject: "lib/rates.js" }] },
    });
    expect(readStatus(world)).toEqual(MINE.toSorted());
    await settle(world);
    expect(world.read("lib/rates.js")).toBe("mine\ntheirs\n");
    expect(await world.ask("history", "replay")).toMatchObject({ status: 0 });
  });
});

describe.each(PLACES)("in %s, too,", (isolation) => {
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

const readId = (world: SentenceWorld): string =>
  /"run_id":"(?<id>[^"]+)"/u.exec(world.read("relais/ledger.jsonl"))?.groups?.["id"] ?? "";

/** `accept` is refused until the person has committed theirs. */
async function settle(world: SentenceWorld): Promise<void> {
  const id = readId(world);
  expect(await world.ask("accept", id)).toMatchObject({
    status: 10,
    document: { cause: "dirty_worktree", remedy: `Commit yours, then type \`relais accept ${id}\`.` },
  });
  world.git("add", "--all");
  world.git("commit", "--quiet", "--message", "mine");
  expect(await world.ask("accept", id)).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
  expect(world.git("status", "--porcelain")).toBe("");
}

test("without the flag the tree is refused, and the remedies name the files, the stash and the whole command", async () => {
  const world = openDirty({ isolation: "auto", does: ":" });
  const { status, stdout } = await world.relais("run", SENTENCE, "--verbose");
  expect(status).toBe(11);
  expect(stdout).toContain("lib/rates.js");
  expect(stdout).toContain("git stash -u  ");
  expect(stdout).toContain(`relais run '${SENTENCE}' --verbose --dirty`);
});

test("a place of its own is needed, one session, and no series", async () => {
  const world = openDirty({ isolation: "in_place", does: ":" });
  expect(await world.ask("run", SENTENCE, "--dirty")).toMatchObject({
    status: 11,
    document: { code: "BLOCKED_DIRTY_WORKTREE", cause: "dirty_in_place" },
  });
  expect(await world.ask("run", SENTENCE, "--dirty", "--attempts", "2")).toMatchObject({ status: 2 });
  const packages = openDirty({ isolation: "auto", does: ":" });
  packages.put({ "node_modules/a/index.js": "a\n" });
  expect(await packages.ask("run", SENTENCE, "--dirty")).toMatchObject({
    status: 11,
    document: { cause: "packages_not_ignored" },
  });
  for (const series of [["loop"], ["goal", "x"], ["tree", "run"], ["submit", "run", "x"]])
    expect(await world.relais(...series, "--dirty")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--dirty"),
    });
});
