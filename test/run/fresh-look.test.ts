/** How often a settlement looks at the repository: not again right after the checks, and always where anything ran or was written since. */
import { expect, test } from "vitest";
import type { Observation } from "../../src/contract/evidence/manifest.ts";
import { launch } from "../../src/io/process/supervise-launch.ts";
import { rememberLook } from "../../src/run/evidence/fresh-look.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

function makeObservation(): Observation {
  return { takenAt: 0, worktree: new Map(), git: new Map() };
}

function openCounted() {
  let looks = 0;
  const recent = rememberLook(() => {
    looks += 1;
    return Promise.resolve(makeObservation());
  });
  return { ...recent, countLooks: () => looks };
}

async function runTrue(): Promise<void> {
  const { PATH = "" } = process.env;
  const started = await launch(
    { program: "true", args: [], cwd: scratchFolder(), env: { PATH }, input: null },
    () => {},
  );
  if (started.kind === "running") await Promise.all([started.exit, started.closed]);
}

test("what was just seen is not looked at again, but only once and for the same candidate", async () => {
  const { look, recall, countLooks } = openCounted();
  const candidate = makeObservation();
  const seen = await look(candidate);
  expect(await recall(candidate, true)).toBe(seen);
  expect(countLooks()).toBe(1);
  expect(await recall(candidate, true)).not.toBe(seen);
  await look(candidate);
  await recall(makeObservation(), true);
  expect(countLooks()).toBe(4);
});

test("a program that was launched since makes it look again", async () => {
  const { look, recall, countLooks } = openCounted();
  const candidate = makeObservation();
  await look(candidate);
  await runTrue();
  await recall(candidate, true);
  expect(countLooks()).toBe(2);
});

test("what was restored since makes it look again, and so does a proof of a restoration", async () => {
  const { look, forget, recall, countLooks } = openCounted();
  const candidate = makeObservation();
  await look(candidate);
  forget();
  await recall(candidate, true);
  expect(countLooks()).toBe(2);
  await look(candidate);
  await recall(candidate, false);
  expect(countLooks()).toBe(4);
});
