import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compactStore } from "../../src/store/compact-store.ts";
import { applySalvage, keepSalvage, listSalvage, showSalvage } from "../../src/keep/salvage.ts";
import { owned, RUN_ID, work, type Worked } from "../support/settling.ts";

const ODD = 'odd "name"\n$(x) é\\.ts';

/** Keeps the work and rolls it back, as a refused tick does. */
async function rolledBack(worked: Worked) {
  const { store, state, evidence, place } = worked;
  const kept = await keepSalvage({
    store,
    stateDirectory: state,
    runId: RUN_ID,
    code: "STOP_VERIFY_FAILED_FAST",
    evidence,
  });
  await place.settlement.discard();
  expect(worked.scratch.git("status", "--porcelain")).toBe("");
  return kept;
}

const again = ({ repository, store, state }: Worked) => ({
  repository,
  root: repository.root,
  store,
  stateDirectory: state,
  lines: [],
  runId: RUN_ID,
});

function everything() {
  const scratch = owned({
    "src/a.ts": "one\ntwo\n",
    "src/gone.ts": "x\n",
    "run.sh": "#!/bin/sh\n",
    "turns/into": "a file\n",
    was: "a file\n",
    "bin.dat": Buffer.from([0, 1, 2, 255, 10, 0]),
    ".gitignore": "dist/\n",
  });
  const build = (): void => {
    scratch.put({
      "src/a.ts": "one\n2\n",
      "deep/er/new.ts": "new\n",
      "dist/out.js": "ignored\n",
      [ODD]: "odd\n",
    });
    scratch.put({ "bin.dat": Buffer.from([0, 9, 8, 255, 13, 10, 0]), "no newline": "at the end" });
    rmSync(join(scratch.root, "src/gone.ts"));
    chmodSync(join(scratch.root, "run.sh"), 0o755);
    rmSync(join(scratch.root, "turns"), { recursive: true });
    writeFileSync(join(scratch.root, "turns"), "now a file\n");
    rmSync(join(scratch.root, "was"));
    scratch.put({ "was/inside": "now a folder\n" });
    symlinkSync("src/a.ts", join(scratch.root, "link"));
    mkdirSync(join(scratch.root, "empty"));
  };
  return { scratch, build };
}

test("what was rolled back can be listed, shown and brought back", async () => {
  const { scratch, build } = everything();
  const worked = await work(scratch, build);
  const kept = await rolledBack(worked);
  expect(kept?.left_out).toEqual([
    { path: "empty", reason: "type" },
    { path: "dist/out.js", reason: "ignored" },
  ]);
  expect(await listSalvage({ stateDirectory: worked.state, lines: [] })).toMatchObject([
    { runId: RUN_ID, kind: "found" },
  ]);
  const shown = await showSalvage({ stateDirectory: worked.state, lines: [] }, RUN_ID);
  expect(shown).toMatchObject({ kind: "found", work: { code: "STOP_VERIFY_FAILED_FAST" } });
  expect(await applySalvage(again(worked))).toMatchObject({ kind: "applied" });
  const applied = scratch.git("status", "--porcelain", "-z", "--untracked-files=all");
  scratch.git("checkout", "--quiet", "--force", ".");
  scratch.git("clean", "--quiet", "-fd");
  build();
  expect(scratch.git("status", "--porcelain", "-z", "--untracked-files=all")).toBe(applied);
  expect(readlinkSync(join(scratch.root, "link"))).toBe("src/a.ts");
});

test("the patch is one that a person's own git applies to the same effect", async () => {
  const { scratch, build } = everything();
  const worked = await work(scratch, build);
  await rolledBack(worked);
  const shown = await showSalvage({ stateDirectory: worked.state, lines: [] }, RUN_ID);
  if (shown.kind !== "found") throw new Error(shown.kind);
  expect(shown.patch?.toString("latin1").match(/^GIT binary patch$/gm)).toHaveLength(1);
  scratch.git("apply", "--index", shown.patchPath);
  const byPatch = scratch.git("write-tree");
  scratch.git("reset", "--quiet", "--hard");
  await applySalvage(again(worked));
  scratch.git("add", "--all");
  expect(scratch.git("write-tree")).toBe(byPatch);
  expect(readFileSync(join(scratch.root, "bin.dat"))).toEqual(Buffer.from([0, 9, 8, 255, 13, 10, 0]));
});

test("content under forbidden globs and of the runner stays out, before and after", async () => {
  const scratch = owned({
    "keys/private.pem": "OLDSECRET\n",
    "relais/FACTS.md": "FACTS\n",
    "src/a.ts": "a\n",
  });
  const worked = await work(
    scratch,
    () =>
      scratch.put({
        "keys/private.pem": "NEWSECRET\n",
        "KEYS/x.pem": "NEWSECRET\n",
        "relais/FACTS.md": "NO\n",
        "src/a.ts": "b\n",
      }),
    { forbidden_globs: ["keys/**"] },
  );
  const kept = await rolledBack(worked);
  expect(kept?.files.map(({ path }) => path)).toEqual(["src/a.ts"]);
  expect(kept?.left_out.map(({ path, reason }) => `${path} ${reason}`).toSorted()).toEqual([
    "KEYS/x.pem forbidden",
    "keys/private.pem forbidden",
    "relais/FACTS.md runner_owned",
  ]);
  const shown = await showSalvage({ stateDirectory: worked.state, lines: [] }, RUN_ID);
  expect(shown.kind === "found" && shown.patch?.toString()).not.toContain("SECRET");
});

test("work is not applied over anything that is not as it was", async () => {
  const scratch = owned({ "src/a.ts": "a\n", "src/b.ts": "b\n" });
  const worked = await work(scratch, () => scratch.put({ "src/a.ts": "A\n", "src/b.ts": "B\n", "new/c.ts": "c\n" }));
  await rolledBack(worked);
  const conflicts = async (): Promise<readonly string[]> => {
    const outcome = await applySalvage(again(worked));
    return outcome.kind === "conflict" ? outcome.paths : [outcome.kind];
  };
  scratch.put({ "src/b.ts": "mine\n" });
  expect(await conflicts()).toEqual(["src/b.ts"]);
  expect(readFileSync(join(scratch.root, "src/a.ts"), "utf8")).toBe("a\n");
  scratch.put({ "src/b.ts": "b\n" });
  chmodSync(join(scratch.root, "src/b.ts"), 0o755);
  expect(await conflicts()).toEqual(["src/b.ts"]);
  chmodSync(join(scratch.root, "src/b.ts"), 0o644);
  scratch.put({ "new/c.ts": "there already\n" });
  expect(await conflicts()).toEqual(["new/c.ts"]);
  rmSync(join(scratch.root, "new"), { recursive: true });
  symlinkSync(scratch.box, join(scratch.root, "new"));
  expect(await conflicts()).toEqual(["new/c.ts"]);
  rmSync(join(scratch.root, "new"));
  mkdirSync(join(scratch.root, "new/c.ts"), { recursive: true });
  expect(await conflicts()).toEqual(["new/c.ts"]);
  rmSync(join(scratch.root, "new"), { recursive: true });
  expect(await conflicts()).toEqual(["applied"]);
  expect(lstatSync(join(scratch.root, "new/c.ts")).isFile()).toBe(true);
});

test("salvage outlives a compaction of the store, large files included", async () => {
  const scratch = owned({ "src/a.ts": "a\n" });
  const large = Buffer.alloc(5 * 1024 * 1024, "large ");
  const worked = await work(scratch, () => scratch.put({ "src/a.ts": "b\n", "big.bin": large }));
  await rolledBack(worked);
  expect(await compactStore(worked.store, new Set())).toBeGreaterThan(large.length);
  expect(await applySalvage(again(worked))).toMatchObject({ kind: "applied" });
  expect(readFileSync(join(scratch.root, "big.bin")).equals(large)).toBe(true);
});

test("what is too large is named and left out", async () => {
  const scratch = owned({ "src/a.ts": "a\n" });
  const worked = await work(scratch, () => scratch.put({ "big.bin": Buffer.alloc(17 * 1024 * 1024, "x") }));
  expect(await rolledBack(worked)).toMatchObject({
    files: [],
    left_out: [{ path: "big.bin", reason: "size" }],
  });
});

test("modes that a builder chose are not taken over", async () => {
  const scratch = owned({ a: "a\n" });
  const worked = await work(scratch, () => {
    scratch.put({ open: "x\n" });
    chmodSync(join(scratch.root, "open"), 0o4777);
  });
  await rolledBack(worked);
  await applySalvage(again(worked));
  expect(statSync(join(scratch.root, "open")).mode & 0o7777).toBe(0o755);
});

test("missing, damaged and forged documents are told apart, and nothing is written", async () => {
  const scratch = owned({ a: "a\n" });
  const worked = await work(scratch, () => scratch.put({ a: "b\n" }));
  expect(await showSalvage({ stateDirectory: worked.state, lines: [] }, RUN_ID)).toEqual({ kind: "missing" });
  expect(await applySalvage({ ...again(worked), runId: "../../elsewhere" })).toEqual({ kind: "missing" });
  await rolledBack(worked);
  const meta = join(worked.state, "salvage", RUN_ID, "meta.json");
  const text = readFileSync(meta, "utf8");
  for (const forged of [
    "{",
    text.replace('"path": "a"', '"path": "../a"'),
    text.replace('"path": "a"', '"path": ".git/a"'),
    text.replace("salvage", "accepted"),
  ]) {
    writeFileSync(meta, forged);
    expect(await applySalvage(again(worked))).toMatchObject({ kind: "damaged" });
    expect(await listSalvage({ stateDirectory: worked.state, lines: [] })).toMatchObject([
      { runId: RUN_ID, kind: "damaged" },
    ]);
  }
  expect(scratch.git("status", "--porcelain")).toBe("");
});
