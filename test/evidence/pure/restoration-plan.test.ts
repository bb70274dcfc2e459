import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Manifest } from "../../../src/base/manifest.ts";
import { compareManifests } from "../../../src/evidence/pure/compare-manifests.ts";
import { planRestoration } from "../../../src/evidence/pure/restoration-plan.ts";
import { listWorktreeChanges } from "../../../src/evidence/pure/worktree-changes.ts";
import { runs } from "../../support/runs.ts";

const entry = fc.record({
  type: fc.constantFrom("file", "directory", "symlink", "fifo"),
  mode: fc.constantFrom(0o644, 0o755, 0o600),
  size: fc.nat(3),
  owner: fc.constantFrom("0:0", "7:7"),
  hardLinks: fc.constantFrom(1, 2),
  stamp: fc.nat(3).map((time) => `1:${time}:${time}`),
  id: fc.constantFrom("a", "b"),
  target: fc.constantFrom("x", "y"),
  forced: fc.constant(false),
});

/** A manifest is a tree: every parent of an entry is a folder. */
const manifest: fc.Arbitrary<Manifest> = fc
  .array(fc.tuple(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }), entry), {
    maxLength: 8,
  })
  .map((list) => {
    const tree = new Map<string, Entry>([["", folder()]]);
    for (const [parts, raw] of list) {
      const parents = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"));
      if (parents.some((parent) => (tree.get(parent)?.type ?? "directory") !== "directory")) continue;
      for (const parent of parents) if (!tree.has(parent)) tree.set(parent, folder());
      const path = parts.join("/");
      if (!tree.has(path)) tree.set(path, clean(raw));
    }
    return tree;
  });

function folder(): Entry {
  return {
    type: "directory",
    mode: 0o755,
    size: 0,
    owner: "0:0",
    hardLinks: 1,
    stamp: "1:0:0",
    id: null,
    target: null,
    forced: false,
  };
}

function clean(raw: Entry): Entry {
  return {
    ...raw,
    id: raw.type === "file" ? raw.id : null,
    target: raw.type === "symlink" ? raw.target : null,
    // Equal ids are equal contents, so they have one size.
    size: raw.type === "file" && raw.id === "a" ? 1 : 0,
  };
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function demand(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/** Carries a plan out on a model of a file system that refuses what a real one refuses. */
function carryOut(now: Manifest, plan: ReturnType<typeof planRestoration>): Map<string, Entry> {
  const disk = new Map(now);
  for (const { path } of plan.remove) {
    demand(![...disk.keys()].some((key) => key !== "" && parentOf(key) === path), `${path} is not empty`);
    disk.delete(path);
  }
  for (const { path, entry: made } of [...plan.createFolders, ...plan.write]) {
    demand(path === "" || disk.get(parentOf(path))?.type === "directory", `${path} has no folder`);
    demand(made.type !== "directory" || !disk.has(path), `${path} exists`);
    disk.set(path, { ...made, mode: 0o700, owner: "9:9", stamp: "2:9:9" });
  }
  for (const { path, entry: settled } of plan.settle) {
    const current = disk.get(path);
    if (current === undefined) throw new Error(`${path} is not there`);
    disk.set(path, { ...current, mode: settled.mode, owner: settled.owner, stamp: settled.stamp });
  }
  return disk;
}

test("carrying the plan out gives the first manifest again, whatever happened", () => {
  fc.assert(
    fc.property(manifest, manifest, (before, after) => {
      const restored = carryOut(after, planRestoration(before, after));
      expect(compareManifests(before, restored)).toEqual([]);
    }),
    runs(500),
  );
});

test("what did not change is not in the plan", () => {
  fc.assert(
    fc.property(manifest, (same) => {
      const plan = planRestoration(same, new Map(same));
      expect([plan.remove, plan.createFolders, plan.write, plan.settle]).toEqual([[], [], [], []]);
    }),
  );
});

test("folders are settled after their contents, deepest first", () => {
  fc.assert(
    fc.property(manifest, manifest, (before, after) => {
      const folders = planRestoration(before, after).settle.filter((step) => step.entry.type === "directory");
      expect(folders.map(({ path }) => path)).toEqual(
        folders
          .map(({ path }) => path)
          .toSorted()
          .toReversed(),
      );
    }),
  );
});

test("every changed entry is listed, and a folder only for its own sake", () => {
  fc.assert(
    fc.property(manifest, manifest, (before, after) => {
      const listed = new Set(listWorktreeChanges(before, after).map(({ path }) => path));
      for (const { path, before: was, after: is } of compareManifests(before, after)) {
        const holder = is === null ? before : after;
        const isPopulated = [...holder.keys()].some((key) => key.startsWith(`${path}/`));
        const isItsOwnStory = (is ?? was)?.type !== "directory" || (was !== null && is !== null) || !isPopulated;
        expect([path, listed.has(path)]).toEqual([path, isItsOwnStory]);
      }
    }),
  );
});
