import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry, Manifest } from "../../src/base/manifest.ts";
import { planRestoration } from "../../src/evidence/pure/restoration-plan.ts";
import { keepFiles, openContentStore } from "../../src/store/content-store.ts";
import { restore, SavedMeanwhile } from "../../src/store/restore.ts";
import { toBytePath } from "../../src/system/byte-path.ts";
import { findEntryAt } from "../../src/system/walk.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const NAME = "notes.txt";

/** As an editor does it: a new file takes the place of the old one. */
function save(root: string, text: string): void {
  writeFileSync(join(root, "new"), text);
  renameSync(join(root, "new"), join(root, NAME));
}

function see(root: string): Entry {
  const entry = findEntryAt(toBytePath(root), NAME);
  if (entry === null) throw new Error("it is not there");
  return entry;
}

test("a file that was saved after it was seen is not overwritten", async () => {
  const root = scratchFolder();
  const folder = toBytePath(root);
  const store = await openContentStore(scratchFolder(), process.env);
  const list = async (): Promise<Manifest> => {
    const entry = see(root);
    const [kept] = await keepFiles(store, {
      files: [{ folder, path: NAME, entry, knownId: null }],
      sizeMax: null,
      force: false,
    });
    return new Map([[NAME, { ...entry, id: kept?.id ?? null }]]);
  };
  save(root, "first\n");
  const before = await list();
  save(root, "edited by a session\n");
  const seen = await list();
  save(root, "saved by a person\n");
  const plan = planRestoration(before, seen);
  await expect(restore({ folder, store, plan, seen })).rejects.toThrow(SavedMeanwhile);
  expect(readFileSync(join(root, NAME), "utf8")).toBe("saved by a person\n");
  expect(readdirSync(root)).toEqual([NAME]);
  await restore({ folder, store, plan, seen: await list() });
  expect(readFileSync(join(root, NAME), "utf8")).toBe("first\n");
});
