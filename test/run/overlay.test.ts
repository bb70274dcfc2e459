/**
 * The overlay against the working tree itself: whatever a program does, both places must tell the same change, and a
 * merge must leave the same files as the work in place.
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MainTreeChanged } from "../../src/contract/values/main-tree-changed.ts";
import { listPlaces } from "../../src/io/place/place-folder.ts";
import { tryOverlay } from "../../src/io/place/try-overlay.ts";
import { walk } from "../support/walker.ts";
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

const refusal = await tryOverlay(tmpdir());

describe.skipIf(refusal !== null)(`in an overlay ${refusal ?? ""}`, () => {
  test.each(Object.entries(SCRIPTS))("%s is the same change as in place", async (_, script) => {
    const here = place(FILES);
    const there = place(FILES);
    const inPlace = await here.open();
    const overlay = await there.open("overlay");
    await inPlace.prepare();
    await overlay.prepare();
    await build(inPlace, script);
    await build(overlay, script);
    const expected = await inPlace.collect();
    const candidate = await overlay.collect();
    expect(listChanges(candidate)).toEqual(listChanges(expected));
    expect(candidate.evidence.head?.after).toEqual(candidate.evidence.head?.before);
    expect(await overlay.changedSince(candidate)).toEqual([]);
    expect(await overlay.merge(candidate)).toEqual([]);
    expect(listFiles(there)).toEqual(listFiles(here));
    expect(await overlay.changedSince(candidate)).toEqual([]);
    expect(await overlay.discard()).toEqual([]);
    expect(listFiles(there)).toEqual(listFiles(place(FILES)));
  });

  test("nothing outside of it changes before the merge, and the place is gone afterwards", async () => {
    const repo = place(FILES);
    const before = walk({ folder: repo.root, worktrees: ["."] });
    const overlay = await repo.open("overlay");
    await overlay.prepare();
    await build(overlay, "rm -rf src .git/hooks; echo x > new; git add -A; git commit -qm mine; git stash");
    await overlay.discard();
    await overlay.close();
    expect(walk({ folder: repo.root, worktrees: ["."] })).toEqual(before);
    expect(listPlaces(repo.state)).toEqual([]);
  });

  test("git's own data is read-only, and git answers", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.prepare();
    const said = await build(overlay, "echo 2 > src/a.ts; git status --short; git add src/a.ts; touch .git/x");
    expect(said).toContain(" M src/a.ts");
    expect(said.match(/Read-only file system/gu)).toHaveLength(2);
  });

  test("a program inside can neither unmount it nor reach the worktree through a process outside", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.prepare();
    const outside = `/proc/${process.pid}/root${repo.root}/src/a.ts`;
    await build(overlay, `umount -l "$PWD"; cd /; cd "${repo.root}"; echo bad > src/a.ts; echo bad > "${outside}"`);
    expect(repo.read("src/a.ts")).toBe("one\ntwo\n");
  });

  test.each([
    ["the same file", (repo: Place) => repo.write("src/a.ts", "mine\n"), "src/a.ts"],
    ["a file that the builder removed", (repo: Place) => repo.write("src/b.ts", "mine\n"), "src/b.ts"],
    ["a new file of the same name", (repo: Place) => repo.write("src/n.ts", "mine\n"), "src/n.ts"],
    ["a file in a removed folder", (repo: Place) => repo.write("src/deep/mine.ts", "mine\n"), "src/deep/mine.ts"],
  ])("a person who edits %s meanwhile loses nothing", async (_, edit, path) => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.prepare();
    await build(overlay, "echo 2 > src/a.ts; rm -rf src/b.ts src/deep; echo n > src/n.ts");
    const early = await overlay.collect();
    edit(repo);
    const before = listFiles(repo);
    await expect(overlay.merge(early)).rejects.toThrow(MainTreeChanged);
    const late = await overlay.collect();
    await expect(overlay.merge(late)).rejects.toMatchObject({ paths: expect.arrayContaining([path]) });
    await overlay.discard();
    expect(listFiles(repo)).toEqual(before);
  });

  test("what a person edited is never the earlier side of the change", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.prepare();
    await build(overlay, "echo 2 > src/a.ts");
    repo.write("src/a.ts", "mine\n");
    const { evidence } = await overlay.collect();
    expect(evidence.changes).toMatchObject([{ path: "src/a.ts", checked_out: false }]);
  });

  test("an edit of another file does not stop a merge, and a commit does", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.prepare();
    await build(overlay, "echo 2 > src/a.ts");
    repo.write("docs/read.md", "mine\n");
    const candidate = await overlay.collect();
    expect(await overlay.merge(candidate)).toEqual([]);
    expect([repo.read("src/a.ts"), repo.read("docs/read.md")]).toEqual(["2\n", "mine\n"]);
    await overlay.discard();
    expect([repo.read("src/a.ts"), repo.read("docs/read.md")]).toEqual(["one\ntwo\n", "mine\n"]);
    await overlay.prepare();
    await build(overlay, "echo 2 > src/b.ts");
    repo.git("commit", "--quiet", "--all", "--message=mine");
    await expect(overlay.merge(await overlay.collect())).rejects.toThrow("HEAD");
  });

  test("a merge that a crash cut short is reverted, and later edits stay", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.prepare();
    await build(overlay, "echo 2 > src/a.ts; rm src/b.ts; echo n > src/n.ts; echo 3 > src/c.ts");
    const { evidence } = await overlay.collect();
    repo.write("src/a.ts", "2\n");
    rmSync(join(repo.root, "src/b.ts"));
    repo.write("src/c.ts", "mine\n");
    expect(await overlay.revertMerge(evidence)).toEqual(["left as it was edited meanwhile: src/c.ts"]);
    expect([repo.read("src/a.ts"), repo.read("src/b.ts"), repo.read("src/c.ts")]).toEqual([
      "one\ntwo\n",
      "b\n",
      "mine\n",
    ]);
    expect(existsSync(join(repo.root, "src/n.ts"))).toBe(false);
  });

  test("the changes of a later program are reverted, and the candidate stays", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.prepare();
    await build(overlay, "echo 2 > src/a.ts; rm src/b.ts");
    const candidate = await overlay.collect();
    const remembered = await overlay.remember();
    await build(overlay, "echo 3 > src/a.ts; echo back > src/b.ts; rm -rf src/deep docs; echo n > src/n.ts");
    expect(await overlay.changedSince(candidate)).toEqual(
      expect.arrayContaining(["src/a.ts", "src/b.ts", "src/deep/y.ts", "docs/read.md", "src/n.ts"]),
    );
    await overlay.bringBack(remembered);
    expect(await overlay.changedSince(candidate)).toEqual([]);
    expect(await build(overlay, "cat src/a.ts; ls src docs")).toBe("2\ndocs:\nread.md\n\nsrc:\na.ts\nc.ts\ndeep\n");
  });

  test("only the folders of the change are visited", async () => {
    const repo = place(FILES);
    for (let at = 0; at < 50; at += 1) repo.write(`many/${at}/file.txt`, "x\n");
    const overlay = await repo.open("overlay");
    await overlay.prepare();
    await build(overlay, "echo 2 > src/a.ts");
    const { worktree } = (await overlay.collect()).observation;
    expect([...worktree.keys()].filter((path) => path.startsWith("many/"))).toEqual([]);
  });

  test("a place that a killed process left is removed by the next one", async () => {
    const repo = place(FILES);
    const left = join(repo.state, "places/20250101T000000Z-0123abcd/upper");
    await (await repo.open("overlay")).prepare();
    expect(readdirSync(join(repo.state, "places"))).toHaveLength(1);
    expect(existsSync(left)).toBe(false);
    writeFileSync(join(repo.state, "places/stray"), "");
    const next = await repo.open("overlay");
    await next.prepare();
    await next.close();
    expect(listPlaces(repo.state)).toEqual([]);
  });
});

/** Without link counts: a copy in the upper layer has only one name. */
const withoutLinks = <T extends object>(side: T | null) => side && { ...side, hard_links: 0 };

function listChanges({ evidence }: Awaited<ReturnType<Awaited<ReturnType<Place["open"]>>["collect"]>>) {
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
