import assert from "node:assert/strict";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import { makePatchCounter } from "../../../src/git/git-difference.ts";
import { listMountsInTable } from "../../../src/system/mounts.ts";
import { findOwnerInTable } from "../../../src/system/serve-loopback.ts";
import { parseProcStat } from "../../../src/process/proc-stat.ts";
import { parsePs } from "../../../src/process/process-table.ts";
import { parseMounts, writeMounts } from "../../../src/evidence/mount-watch.ts";
import { measure } from "../measure.ts";

const MOUNT = "36 35 98:0 /mnt1 /mnt/a\\040b rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n";
const PATCH = "diff --git a/x b/x\nindex 01..02 100644\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\n+new\n+more\n";
const PS = " 12  1 12 Ss Thu Jan 15 10:00:00 2026 /bin/sh -c x\n";
const STAT = "12 (a) b) S 1 12 12 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 1000 10\n";
const PIECES = [MOUNT, PATCH, PS, STAT];
const HUNKS = [
  "@@ -1,2 +1,3 @@\n",
  "@@ -0,0 +1 @@\n",
  "+a\n",
  "-b\n",
  " c\n",
  "\\ No newline at end of file\n",
  "Binary files differ\n",
];

/** What git, ps and the kernel print about files and processes whose names a builder chose. */
export const machineTexts: FuzzTarget = {
  name: "machine-texts",
  seeds: () => PIECES.map((text) => Buffer.from(text)),
  words: ["\\040", "\\134", " - ", "\0", ") S ", "diff --git ", "GIT binary patch\n", "literal 3\n", "@@ -1 +1 @@"],
  generate: (random: Random) => {
    const kind = random.below(2);
    const hunks = Array.from({ length: random.below(12) }, () => random.pick(HUNKS)).join("");
    const many = Array.from({ length: 1 + random.below(4) }, () => random.pick(PIECES)).join("");
    return Buffer.from(kind === 0 ? `${PATCH}${hunks}` : many);
  },
  check: (data) => {
    const text = data.toString("latin1");
    checkPatch(data);
    checkMounts(text);
    checkProcesses(text);
  },
};

/** Whole, or cut anywhere: the same counts, and never more than there is. */
function checkPatch(data: Buffer): void {
  const half = Math.floor(data.length / 2);
  const [whole, cut] = [[data], [data.subarray(0, half), data.subarray(half)]].map((pieces) =>
    measure(() => {
      const counter = makePatchCounter();
      for (const piece of pieces) counter.take(piece);
      return counter.finish();
    }),
  );
  assert.deepEqual(cut, whole, "another patch when it comes in two pieces");
  for (const { added, deleted, bytes } of whole ?? []) assert(added + deleted <= bytes && bytes <= data.length);
}

function checkMounts(text: string): void {
  const mounts = measure(() => listMountsInTable(text)) ?? [];
  for (const { point, kind } of mounts) assert(point !== "" && kind !== "");
  if (mounts.every(({ point, kind }) => !`${point}${kind}`.includes("\0")))
    assert.deepEqual(parseMounts(writeMounts(mounts)), mounts, "other mounts when they are read again");
}

function checkProcesses(text: string): void {
  for (const line of text.split("\n")) measure(() => parseProcStat(line));
  measure(() => parsePs(text));
  const owner = findOwnerInTable(text, { localPort: 4000, remotePort: 50_000 });
  if (owner.kind === "user") assert(Number.isInteger(owner.uid), "a user who is no number");
}
