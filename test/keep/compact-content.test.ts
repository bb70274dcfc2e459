import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openContentStore } from "../../src/store/content-store.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { saveObservation } from "../../src/store/observation-file.ts";
import { loadRemembered, signObservation } from "../../src/evidence/observation-signature.ts";
import { observe } from "../../src/evidence/observe.ts";
import { compactContent, compactGrownContent } from "../../src/keep/compact-content.ts";
import { place } from "../support/workplace.ts";

const MEBIBYTE = 1024 * 1024;

async function remember() {
  const repo = place({ "large.bin": "x".repeat(5 * MEBIBYTE) });
  const found = await findRepository(repo.root, process.env);
  if (found.kind !== "repository") throw new Error("no repository");
  const { repository } = { repository: found };
  const store = await openContentStore(repo.state, process.env);
  const observation = await observe({ repository, store, earlier: null, afterBuild: false });
  const part = { repository, store, mounts: [] };
  const file = join(repo.state, "observation");
  const sha256 = await saveObservation(file, { observation, signature: signObservation(part) });
  const recall = () => loadRemembered({ ...part, file, rememberedSha256: sha256 });
  return { store, recall, content: { store, stateDirectory: repo.state } };
}

test("the last observation holds for a store that was reduced to what it needs", async () => {
  const { store, recall, content } = await remember();
  expect(recall()).not.toBeNull();
  await compactContent(content);
  expect(recall()).not.toBeNull();
  const packs = join(store.gitDir, "objects", "pack");
  for (const name of readdirSync(packs)) rmSync(join(packs, name));
  expect(recall()).toBeNull();
});

test("large files that nothing refers to are dropped without packing the others again", async () => {
  const { store, recall, content } = await remember();
  const objects = () => readdirSync(join(store.gitDir, "objects")).toSorted();
  const [before, large] = [objects(), readdirSync(store.largeDir)];
  expect(large).toHaveLength(1);
  writeFileSync(join(store.largeDir, "0".repeat(40)), Buffer.alloc(20 * MEBIBYTE, 1));
  expect(await compactGrownContent(content)).toEqual([]);
  expect(readdirSync(store.largeDir)).toEqual(large);
  expect(objects()).toEqual(before);
  expect(recall()).not.toBeNull();
});
