import { createHash } from "node:crypto";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Observation } from "../../src/base/manifest.ts";
import { loadObservation, saveObservation } from "../../src/store/observation-file.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { openContentStore } from "../../src/store/content-store.ts";
import { observe } from "../../src/evidence/observe.ts";
import { place } from "../support/workplace.ts";

const HASH_LINE_BYTES = 65;

async function saved(): Promise<{ file: string; observation: Observation; sha256: string }> {
  const repo = place({ "src/tab\tand\nline\\n": "x" });
  const repository = await findRepository(repo.root, process.env);
  if (repository.kind !== "repository") throw new Error("no repository");
  const store = await openContentStore(repo.state, process.env);
  const observation = await observe({ repository, store, earlier: null, afterBuild: false });
  const file = join(repo.state, "observation");
  const sha256 = await saveObservation(file, { observation, signature: "s" });
  return { file, observation, sha256 };
}

test("an observation survives being written and read, with every odd name", async () => {
  const { file, observation, sha256 } = await saved();
  expect(loadObservation(file)).toEqual({ observation, signature: "s", sha256 });
});

test("a cut or changed file is not taken for an observation", async () => {
  const { file } = await saved();
  const text = readFileSync(file, "latin1");
  writeFileSync(file, text.replace("src/a.ts", "src/A.ts"), "latin1");
  expect(loadObservation(file)).toBeNull();
  writeFileSync(file, text, "latin1");
  truncateSync(file, text.length - 100);
  expect(loadObservation(file)).toBeNull();
  expect(loadObservation(`${file}-missing`)).toBeNull();
});

test("a file of another format is not taken for an observation, though its hash is right", async () => {
  const { file } = await saved();
  const text = readFileSync(file, "latin1");
  const body = text.slice(0, -HASH_LINE_BYTES).replace("relais-observation-1", `relais-observation-2\t-\t-`);
  writeFileSync(file, `${body}${createHash("sha256").update(body, "latin1").digest("hex")}\n`, "latin1");
  expect(loadObservation(file)).toBeNull();
});
