/** `run --dirty`: a tick that begins with what a person has not committed, and commits only its own change. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FIX, MINE, openDirty, PLACES, readId, readStatus, SENTENCE } from "../support/dirty-world.ts";
import type { SentenceWorld } from "../support/sentence-world.ts";

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
