import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { MeasurementError } from "../../src/base/errors.ts";
import { applyPatch, type AppliedPatch } from "../../src/store/apply-patch.ts";
import { openRedoLog } from "../../src/system/redo-log.ts";
import { computeBlobId } from "../../src/system/hash-file.ts";
import type { Foreseen } from "../../src/evidence/foresee-patch.ts";
import { anyBytes, damaged } from "../../test/support/arbitrary-bytes.ts";
import { rules } from "../../test/support/evidence.ts";
import { fuzz } from "../../test/support/fuzz.ts";
import { PROPERTY_TIMEOUT_MS } from "../../test/support/runs.ts";
import { gitEnvironment } from "../../test/support/repositories.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";
import { gitShim, place } from "../../test/support/workplace.ts";

const ID = "0123456789abcdef0123456789abcdef01234567";
const OTHER = ID.replaceAll("0", "f");
const RECORDS = [`100644 ${ID} 0\tsrc/a.ts\0`, `100755 ${OTHER} 0\tsrc/n\new\0`, `120000 ${ID} 0\tlink\0`];
const LISTING = RECORDS.join("");
const SUMMARY = " create mode 100755 src/n\n mode change 100644 => 100755 src/a.ts\n rename a => b (90%)\n";
const SIZES = "blob 12\nblob 3\n";
const PARTS = "\n==\n";

async function measured(measure: () => Promise<AppliedPatch>): Promise<AppliedPatch | null> {
  try {
    return await measure();
  } catch (error) {
    assert(error instanceof MeasurementError, String(error));
    return null;
  }
}

/** What git prints when it is asked for what it did, and for sizes: two parts of one input. The tree is in its index. */
function printingGit(folder: string): (data: Buffer) => void {
  const file = (name: string) => join(folder, name);
  const env = { ...process.env, GIT_DIR: file("made"), GIT_INDEX_FILE: file("index") };
  execFileSync("git", ["init", "--quiet", "--bare"], { env });
  execFileSync("git", ["update-index", "-z", "--index-info"], { env, input: LISTING });
  gitShim(
    [
      'case " $* " in',
      `*" apply "*) cat > /dev/null; cp ${file("index")} "$GIT_INDEX_FILE"; cat ${file("summary")} ;;`,
      `*" cat-file "*) cat > /dev/null; cat ${file("sizes")} ;;`,
      "*) cat > /dev/null ;;",
      "esac",
    ].join("\n"),
  );
  return (data) => {
    const parts = data.toString("latin1").split(PARTS);
    for (const [at, name] of ["summary", "sizes"].entries())
      writeFileSync(file(name), Buffer.from(parts[at] ?? "", "latin1"));
  };
}

test(
  "what git prints about a patch is understood whole or is a failed measurement",
  async () => {
    const folder = scratchFolder();
    const print = printingGit(folder);
    const store = { gitDir: folder, largeDir: folder, redo: openRedoLog(folder), environment: process.env };
    const files = new Map([
      ["src/a.ts", { mode: "100644", id: OTHER }],
      ["gone.ts", { mode: "100644", id: ID }],
      ["link", { mode: "120000", id: ID }],
    ]);
    const request = { store, folder, files, links: new Map<string, string>(), patch: Buffer.from("p") };
    const read = () => applyPatch({ ...request, signal: new AbortController().signal });
    let understood = 0;
    const check = async (data: Buffer) => {
      print(data);
      const applied = await measured(read);
      if (applied === null) return;
      assert(applied.kind === "applied");
      understood += 1;
      const after = new Map([...files].map(([path, { mode, id }]) => [path, `${mode} ${id}`]));
      for (const { path, after: is } of applied.changes) {
        if (is === null) after.delete(path);
        else after.set(path, `${is.mode} ${is.id}`);
        assert(is === null || is.size === null || Number.isSafeInteger(is.size));
      }
      assert.deepEqual([...after].map(([path, side]) => `${side} 0\t${path}\0`).toSorted(), RECORDS);
      for (const mode of applied.modes) assert(/^\d+$/.test(mode));
    };
    const valid = Buffer.from([SUMMARY, SIZES].join(PARTS), "latin1");
    await check(valid);
    print(valid);
    expect(await read()).toMatchObject({ modes: ["100755", "100644", "100755"] });
    const bytes = fc.oneof({ weight: 6, arbitrary: damaged([valid], 2) }, anyBytes);
    expect(await fuzz({ parser: "patch-listing", bytes, runs: 30, check })).toBeNull();
    expect(understood).toBeGreaterThan(0);
    rmSync(join(folder, "index"));
    expect(await measured(read)).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);

const FILES = {
  "src/a.ts": "one\ntwo\nthree\nfour\n",
  "src/b c.ts": "b\n",
  "src/é.ts": "e\n",
  "src/run.sh": "true\n",
};
const PATCHES = [
  "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,4 +1,5 @@\n one\n-two\n+TWO\n+2\n three\n four\n",
  "diff --git a/src/a.ts b/src/moved.ts\nsimilarity index 100%\nrename from src/a.ts\nrename to src/moved.ts\n",
  "diff --git a/src/b c.ts b/src/b c.ts\ndeleted file mode 100644\n--- a/src/b c.ts\t\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
  'diff --git "a/src/\\303\\251.ts" "b/src/\\303\\251.ts"\nold mode 100644\nnew mode 100755\n',
  "diff --git a/src/n.ts b/src/n.ts\nnew file mode 100755\nindex 0000000..e69de29\n",
  "--- /dev/null\n+++ b/src/deep/er.ts\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n",
  "diff --git a/src/run.sh b/src/copy.sh\nsimilarity index 100%\ncopy from src/run.sh\ncopy to src/copy.sh\n",
];
const both = PATCHES.flatMap((one) => PATCHES.map((other) => Buffer.from(one + other)));

/** What is at each path after somebody else's git has applied the patch to files, and not to an index. */
function appliedByGit(root: string, patch: Buffer): ReadonlyMap<string, string | null> | null {
  const box = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
  try {
    cpSync(root, box, { recursive: true });
    const run = { cwd: box, env: gitEnvironment(box), input: patch };
    if (spawnSync("git", ["apply", "-p1", "--whitespace=nowarn"], run).status !== 0) return null;
    const status = execFileSync("git", ["status", "--porcelain", "-z", "-uall", "--no-renames"], {
      cwd: box,
      env: gitEnvironment(box),
    });
    const paths = status.toString("utf8").split("\0").slice(0, -1);
    return new Map(paths.map((line) => [line.slice(3), entryText(join(box, line.slice(3)))]));
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

/** The mode and the id of what is there; null where nothing is. */
function entryText(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return `${(stats.mode & 0o777).toString(8)} ${computeBlobId(readFileSync(path))}`;
}

function changesOf({ candidate, failure }: Foreseen): ReadonlyMap<string, string | null> | null {
  if (candidate === null || failure !== null) return null;
  return new Map(
    candidate.evidence.changes.map(({ path, after }) => [
      path,
      after === null ? null : `${after.mode.slice(1)} ${after.id}`,
    ]),
  );
}

test(
  "a patch of any bytes changes what git would change in files, or is refused",
  async () => {
    const repo = place(FILES);
    rmSync(join(repo.root, "notes.txt"));
    const workplace = await repo.open();
    await workplace.change.prepare();
    const folder = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const signal = new AbortController().signal;
    let taken = 0;
    const check = async (data: Buffer) => {
      const patch = data.toString("utf8");
      const foreseen = await workplace.change.foresee({ patch, rules: rules(), folder, signal });
      const ours = changesOf(foreseen);
      assert(ours !== null || foreseen.failure !== null, "neither a candidate nor a reason");
      if (ours === null) return;
      const theirs = appliedByGit(repo.root, Buffer.from(patch));
      assert(theirs !== null, "git does not apply it to files");
      taken += 1;
      assert.deepEqual(Object.fromEntries(ours), Object.fromEntries(theirs));
    };
    expect(
      await fuzz({
        parser: "patch-listing",
        bytes: damaged([...PATCHES.map(toBytes), ...both], 1),
        runs: 15,
        check,
      }),
    ).toBeNull();
    expect(taken).toBeGreaterThan(0);
  },
  PROPERTY_TIMEOUT_MS,
);

function toBytes(text: string): Buffer {
  return Buffer.from(text);
}
