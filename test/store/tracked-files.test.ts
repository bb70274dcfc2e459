import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTrackedFiles, type TrackedFiles } from "../../src/store/tracked-files.ts";
import { type Place, place } from "../support/workplace.ts";

const AWKWARD = { "src/a b/é.ts": "x", "src/new\nline": "y", "src-2/b.ts": "z", [`src/${"d".repeat(200)}`]: "x" };

function readIndex({ root }: Place): Buffer {
  return readFileSync(join(root, ".git/index"));
}

function trackedOf(repo: Place): TrackedFiles {
  return readTrackedFiles(readIndex(repo), (id) => readFileSync(join(repo.root, `.git/sharedindex.${id}`)));
}

/** Path and id of every file, as git lists them. */
function listed({ git }: Place) {
  return git("ls-files", "--stage", "-z")
    .split("\0")
    .filter(Boolean)
    .map((line) => ({
      path: Buffer.from(line.slice(line.indexOf("\t") + 1)).toString("latin1"),
      id: line.split(" ")[1] ?? "",
    }));
}

function expectLookups(repo: Place): void {
  const [tracked, files] = [trackedOf(repo), listed(repo)];
  for (const { path } of files) {
    expect(tracked.has(path)).toBe(true);
    expect(tracked.has(`${path}.`)).toBe(false);
    expect(tracked.has(path.slice(0, -1))).toBe(false);
  }
  const ids = new Set([files[0]?.id ?? "", files.at(-1)?.id ?? ""]);
  expect(tracked.listWithIds(ids)).toEqual(files.filter(({ id }) => ids.has(id)));
  const folders = files.map(({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  expect(new Set(tracked.folders())).toEqual(new Set(["", ...folders]));
}

test.each(["2", "3", "4"])("version %s of the index lists what git lists", (version) => {
  const repo = place(AWKWARD);
  repo.git("update-index", `--index-version=${version}`);
  repo.git("update-index", "--skip-worktree", "src/b.ts");
  expect([...trackedOf(repo).files()]).toEqual(listed(repo));
  expectLookups(repo);
});

test("a split index lists what git lists", () => {
  const repo = place(AWKWARD);
  repo.git("update-index", "--split-index");
  repo.write("src/later.ts", "later\n");
  repo.git("add", "--all");
  expect([...trackedOf(repo).files()]).toEqual(listed(repo));
  expectLookups(repo);
});

test("ids of SHA-256 are read", () => {
  const repo = place();
  repo.git("init", "--quiet", "--object-format=sha256", "../sha256");
  repo.write("../sha256/x.ts", "x");
  repo.git("-C", "../sha256", "add", "--all");
  const tracked = readTrackedFiles(readFileSync(join(repo.root, "../sha256/.git/index")), () => null);
  expect([...tracked.files()].map(({ path, id }) => [path, id.length])).toEqual([["x.ts", 64]]);
});

test("a folder of a sparse index stands for everything in it", () => {
  const repo = place({ "kept/a.ts": "a", "left/out/b.ts": "b" });
  repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "kept");
  const tracked = trackedOf(repo);
  expect([...tracked.files()].map(({ path }) => path)).toContain("left/");
  expect([tracked.has("left/out/b.ts"), tracked.has("left"), tracked.has("kept/b.ts")]).toEqual([true, false, false]);
});

test("damage is refused", () => {
  const index = readIndex(place(AWKWARD));
  for (let at = 0; at < index.length; at += 7) {
    const bent = Buffer.from(index);
    bent[at] = (bent[at] ?? 0) ^ 0x40;
    expect(() => readTrackedFiles(bent, () => null), `byte ${at}`).toThrow(/index/);
  }
});
