/**
 * Places of their own against the working tree itself: whatever a program does, all must tell the same change, and a
 * merge must leave the same files as the work in place. A person may work in the tree meanwhile.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { MainTreeChanged } from "../../src/base/main-tree-changed.ts";
import type { Candidate } from "../../src/place/workplace.ts";
import { listPlaces } from "../../src/sandbox/place-folder.ts";
import { listIsolations } from "../support/isolations.ts";
import { partOf } from "../support/part-of.ts";
import { differences, walk } from "../support/walker.ts";
import { build, place, type Place } from "../support/workplace.ts";

const FILES = {
  "src/deep/er/x.ts": "x\n",
  "src/deep/y.ts": "y\n",
  "src/c.ts": "c\n",
  "docs/read.md": "read\n",
  "run.sh": "#!/bin/sh\n",
};

const SCRIPTS: Readonly<Record<string, string>> = {
  nothing: "true",
  "an edit": "echo 2 > src/a.ts",
  "an edit that is undone": "cp src/a.ts /tmp/$$; echo 2 > src/a.ts; cat /tmp/$$ > src/a.ts; rm /tmp/$$",
  "an edit with the old times": "touch -r src/a.ts .t; printf 'ONE\\nTWO\\n' > src/a.ts; touch -r .t src/a.ts; rm .t",
  "new files, some ignored": "echo n > src/n.ts; mkdir dist/sub; echo o > dist/sub/o.js; echo p > dist/out.js",
  "a removed folder": "rm -rf src/deep",
  "a folder that is made again": "rm -rf src/deep; mkdir src/deep; echo z > src/deep/z.ts",
  "a folder that is made again with its file": "rm -rf src/deep; mkdir src/deep; echo y > src/deep/y.ts",
  "a renamed folder": "mv src/deep src/renamed",
  "a folder in place of a file": "rm src/a.ts; mkdir src/a.ts; echo in > src/a.ts/in",
  "a file in place of a folder": "rm -rf src/deep; echo f > src/deep",
  "a link in place of a folder": "rm -rf src/deep; ln -s ../docs src/deep",
  "links and modes": "ln -s a.ts src/link; chmod +x src/b.ts; chmod 600 src/c.ts; chmod 700 docs",
  "an empty folder": "mkdir -p src/empty/inside",
  "a pipe": "mkfifo src/pipe",
  "a hard link": "ln src/a.ts src/hard.ts",
  "names that are hard to read": "printf x > 'src/a b\nc.ts'; printf x > \"src/$(printf '\\377')\"; echo y > -n",
  "a name that differs in case only": "echo r > readme.MD",
  "a repository inside": "git init -q sub && echo s > sub/file",
  "new rules about what is ignored": "echo src/hidden.ts >> .gitignore; echo h > src/hidden.ts; rm notes.txt",
  "everything removed": "rm -rf src docs run.sh README.md dist notes.txt .gitignore",
};

type Variant = readonly [name: string, isolation: "overlay" | "clone", make: () => Place];

const makePlain = (): Place => place(FILES);

/** The kernel refuses an upper layer that lies on an overlay itself, so a program makes this one. */
function makeOnOverlay(): Place {
  const repo = place(FILES);
  const layers = join(repo.state, "../layers");
  for (const name of ["lower", "upper", "work"]) mkdirSync(join(layers, name), { recursive: true });
  const options = `lowerdir=${layers}/lower,upperdir=${layers}/upper,workdir=${layers}/work`;
  execFileSync("mount", ["-t", "overlay", "relais-test", "-o", options, repo.state]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", repo.state]));
  return repo;
}

const OWN = (await listIsolations()).flatMap((name): readonly Variant[] =>
  name === "in_place" ? [] : [[name, name, makePlain]],
);
const hasFuse = process.getuid?.() === 0 && existsSync("/dev/fuse") && existsSync("/usr/bin/fuse-overlayfs");
const FUSE: readonly Variant[] = hasFuse ? [["overlay of fuse-overlayfs", "overlay", makeOnOverlay]] : [];
const SAMPLE = partOf(Object.entries(SCRIPTS), { kindOf: () => "script", oneIn: 4 });

test.runIf(hasFuse)("fuse-overlayfs is used where the kernel refuses, by root", async () => {
  const own = await makeOnOverlay().open("overlay");
  await own.change.prepare();
  expect(await build(own, 'grep " $PWD " /proc/self/mounts')).toContain("fuse.fuse-overlayfs");
});

describe.each([...OWN, ...FUSE])("in its own place: %s", (_name, isolation, make) => {
  test.each(SAMPLE)("%s is the same change as in place", async (_, script) => {
    const here = place(FILES);
    const there = make();
    const inPlace = await here.open();
    const own = await there.open(isolation);
    await inPlace.change.prepare();
    await own.change.prepare();
    await build(inPlace, script);
    await build(own, script);
    const expected = await inPlace.change.collect();
    const candidate = await own.change.collect();
    expect(listChanges(candidate)).toEqual(listChanges(expected));
    expect(candidate.evidence.head?.after).toEqual(candidate.evidence.head?.before);
    expect(await own.change.changedSince(candidate)).toEqual([]);
    expect(await own.settlement.merge(candidate)).toEqual([]);
    expect(listFiles(there)).toEqual(listFiles(here));
    expect(await own.change.changedSince(candidate)).toEqual([]);
    expect(await own.settlement.discard()).toEqual([]);
    expect(listFiles(there)).toEqual(listFiles(place(FILES)));
  });

  test("nothing outside of it changes before the merge, and the place is gone afterwards", async () => {
    const repo = make();
    const before = walk({ folder: repo.root, worktrees: ["."] });
    const own = await repo.open(isolation);
    await own.change.prepare();
    await build(own, "rm -rf src .git/hooks; echo x > new; git add -A; git commit -qm mine; git stash");
    await own.settlement.discard();
    await own.place.close();
    // Git freshens the times of objects that it would write again, also in an alternate store.
    expect(differences(before, walk({ folder: repo.root, worktrees: ["."] }))).toEqual([]);
    expect(listPlaces(repo.state)).toEqual([]);
  });

  test.each([
    ["the same file", (repo: Place) => repo.write("src/a.ts", "mine\n"), "src/a.ts"],
    ["a file that the builder removed", (repo: Place) => repo.write("src/b.ts", "mine\n"), "src/b.ts"],
    ["a new file of the same name", (repo: Place) => repo.write("src/n.ts", "mine\n"), "src/n.ts"],
    ["a file in a removed folder", (repo: Place) => repo.write("src/deep/mine.ts", "mine\n"), "src/deep"],
    ["by removing a file", (repo: Place) => rmSync(join(repo.root, "src/a.ts")), "src/a.ts"],
    ["the branch", (repo: Place) => void repo.git("switch", "--quiet", "--create", "other"), "HEAD"],
    ["by a stash of the same file", stashEdit, "src/a.ts"],
    ["with a link in place of a folder", linkFolder, "docs"],
  ])("a person who edits %s meanwhile loses nothing", async (_, edit, path) => {
    const repo = make();
    const own = await repo.open(isolation);
    await own.change.prepare();
    await build(own, "echo 2 > src/a.ts; rm -rf src/b.ts src/deep; echo n > src/n.ts; echo n > docs/n.md");
    const early = await own.change.collect();
    edit(repo);
    const before = listFiles(repo);
    await expect(own.settlement.merge(early)).rejects.toThrow(MainTreeChanged);
    const late = await own.change.collect();
    await expect(own.settlement.merge(late)).rejects.toMatchObject({
      paths: expect.arrayContaining([expect.stringContaining(path)]),
    });
    await own.settlement.discard();
    expect(listFiles(repo)).toEqual(before);
  });

  test("an edit of another file does not stop a merge, and a commit does", async () => {
    const repo = make();
    const own = await repo.open(isolation);
    await own.change.prepare();
    await build(own, "echo 2 > src/a.ts");
    repo.write("docs/read.md", "mine\n");
    const candidate = await own.change.collect();
    expect(await own.settlement.merge(candidate)).toEqual([]);
    expect([repo.read("src/a.ts"), repo.read("docs/read.md")]).toEqual(["2\n", "mine\n"]);
    await own.settlement.discard();
    expect([repo.read("src/a.ts"), repo.read("docs/read.md")]).toEqual(["one\ntwo\n", "mine\n"]);
    await own.change.prepare();
    await build(own, "echo 2 > src/b.ts");
    repo.git("commit", "--quiet", "--all", "--message=mine");
    await expect(own.settlement.merge(await own.change.collect())).rejects.toThrow("HEAD");
  });

  test("a merge that a crash cut short is reverted, and later edits stay", async () => {
    const repo = make();
    const own = await repo.open(isolation);
    await own.change.prepare();
    await build(own, "echo 2 > src/a.ts; rm src/b.ts; echo n > src/n.ts; echo 3 > src/c.ts");
    const candidate = await own.change.collect();
    await own.settlement.merge(candidate);
    rmSync(join(repo.root, "src/n.ts"));
    writeFileSync(join(repo.root, "src/.relais-0123456789abcdef"), "half");
    repo.write("src/c.ts", "mine\n");
    expect(await own.recovery.revertMerge(candidate.evidence)).toEqual(["left as it was edited meanwhile: src/c.ts"]);
    expect([repo.read("src/a.ts"), repo.read("src/b.ts"), repo.read("src/c.ts")]).toEqual([
      "one\ntwo\n",
      "b\n",
      "mine\n",
    ]);
    expect(readdirSync(join(repo.root, "src")).toSorted()).toEqual(["a.ts", "b.ts", "c.ts", "deep"]);
  });

  test("the changes of a later program are reverted, and the candidate stays", async () => {
    const repo = make();
    const own = await repo.open(isolation);
    await own.change.prepare();
    await build(own, "echo 2 > src/a.ts; rm src/b.ts");
    const candidate = await own.change.collect();
    const remembered = await own.change.observe();
    await build(own, "echo 3 > src/a.ts; echo back > src/b.ts; rm -rf src/deep docs; echo n > src/n.ts");
    expect(await own.change.changedSince(candidate)).toEqual(
      expect.arrayContaining(["src/a.ts", "src/b.ts", "src/deep/y.ts", "docs/read.md", "src/n.ts"]),
    );
    await own.change.bringBack(remembered);
    expect(await own.change.changedSince(candidate)).toEqual([]);
    expect(await build(own, "cat src/a.ts; ls src docs")).toBe("2\ndocs:\nread.md\n\nsrc:\na.ts\nc.ts\ndeep\n");
  });

  test("a place that a killed process left is removed by the next one", async () => {
    const repo = make();
    const left = join(repo.state, "places/20250101T000000Z-0123abcd/upper");
    await (await repo.open(isolation)).change.prepare();
    expect(readdirSync(join(repo.state, "places"))).toHaveLength(1);
    expect(existsSync(left)).toBe(false);
    writeFileSync(join(repo.state, "places/stray"), "");
    const next = await repo.open(isolation);
    await next.change.prepare();
    await next.place.close();
    expect(listPlaces(repo.state)).toEqual([]);
  });

  test("what a person stages or stashes of other files stays, and the change lands", async () => {
    const repo = make();
    repo.write("run.sh", "dirty\n");
    const own = await repo.open(isolation);
    await own.change.prepare();
    await build(own, "echo 2 > src/a.ts; mkdir new; echo n > new/n.ts");
    repo.git("stash", "push", "--quiet", "run.sh");
    repo.write("docs/read.md", "mine\n");
    repo.git("add", "docs/read.md");
    expect(await own.settlement.merge(await own.change.collect())).toEqual([]);
    expect(repo.git("status", "--porcelain")).toBe("M  docs/read.md\n M src/a.ts\n?? new/\n?? notes.txt\n");
    expect(repo.git("stash", "list")).toContain("WIP");
  });
});

/** The person's own edit is in the stash, and the file is an older one. */
function stashEdit(repo: Place): void {
  repo.write("src/a.ts", "mine\n");
  repo.git("stash", "push", "--quiet", "src/a.ts");
}

function linkFolder(repo: Place): void {
  rmSync(join(repo.root, "docs"), { recursive: true });
  symlinkSync("src", join(repo.root, "docs"));
}

/** Without link counts: a copy in the upper layer has only one name. */
const withoutLinks = <T extends object>(side: T | null) => side && { ...side, hard_links: 0 };

function listChanges({ evidence }: Candidate) {
  return evidence.changes
    .map((change) => ({ ...change, before: withoutLinks(change.before), after: withoutLinks(change.after) }))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** Everything but git's own data, and without times. */
function listFiles({ root }: Place) {
  return [...walk({ folder: root, worktrees: [] }).entries]
    .filter(([name]) => !name.startsWith("./.git/"))
    .map(([name, { type, mode, owner, digest }]) => [name, type, mode, owner, digest].join(" "))
    .toSorted();
}
