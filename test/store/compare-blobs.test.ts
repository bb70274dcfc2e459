/** One comparison gives the lines and the patch, and both are what git says of each alone. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type PairedFile, storePair, writePairPatch } from "../../src/store/change-pair.ts";
import { recallPatch, storeComparison } from "../../src/store/compare-blobs.ts";
import { openContentStore, storeBlobs } from "../../src/store/content-store.ts";
import { computeBlobId } from "../../src/system/hash-file.ts";
import { toBytePath } from "../../src/system/byte-path.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

interface Side {
  readonly content: Buffer;
  readonly mode?: string;
}

const lines = (...numbers: readonly number[]): Buffer => Buffer.from(numbers.map((one) => `line ${one}\n`).join(""));
const COUNT = Array.from({ length: 60 }, (_, at) => at);

/** Contents that look like a patch, end without a line feed, are no text, or only change their mode. */
const CHANGES: Readonly<Record<string, readonly [Side | null, Side | null]>> = {
  "src/long.ts": [
    { content: lines(...COUNT) },
    { content: lines(...COUNT.map((one) => (one % 20 === 5 ? one + 100 : one))) },
  ],
  "src/new.ts": [null, { content: lines(1, 2) }],
  "src/gone.ts": [{ content: lines(1, 2, 3) }, null],
  "run.sh": [{ content: lines(1) }, { content: lines(1), mode: "0755" }],
  "both.sh": [{ content: lines(1) }, { content: lines(2), mode: "0755" }],
  "no-end": [{ content: Buffer.from("a\nb") }, { content: Buffer.from("a\nb\nc") }],
  patch: [
    { content: Buffer.from("a\n@@ -1 +1 @@\n--- a/x\n+++ b/x\n") },
    { content: Buffer.from("a\ndiff --git a/x b/x\n+++ b/x\n@@ -1,9 +1,9 @@\n") },
  ],
  empty: [null, { content: Buffer.alloc(0) }],
  'filled\n"odd" \u00e4': [{ content: Buffer.alloc(0) }, { content: lines(7) }],
  ".gitattributes": [null, { content: Buffer.from("* -diff\n") }],
  turns: [{ content: lines(1) }, null],
  "turns/into": [null, { content: lines(1) }],
};
const BINARY = { picture: [{ content: Buffer.from("a\0b\n") }, { content: Buffer.from("a\0c\nd") }] } as const;

function describeSide(side: Side | null): PairedFile["before"] {
  if (side === null) return null;
  const { content, mode = "0644" } = side;
  return { type: "file", mode, size: content.length, id: computeBlobId(content), link_target: null, hard_links: 1 };
}

const pickContent = (side: PairedFile["before"]) => side && { id: side.id ?? "", isExecutable: side.mode === "0755" };

async function compare(changes: typeof CHANGES) {
  const store = await openContentStore(scratchFolder(), process.env);
  const sides = Object.values(changes).flat();
  storeBlobs(
    store,
    sides.flatMap((side) => (side === null ? [] : [side.content])),
  );
  const files: PairedFile[] = Object.entries(changes).map(([name, [before, after]]) => ({
    path: toBytePath(name),
    before: describeSide(before),
    after: describeSide(after),
  }));
  const counts = await storeComparison(
    store,
    files.map(({ path, before, after }) => ({ path, before: pickContent(before), after: pickContent(after) })),
  );
  const trees = await storePair(store, "refs/relais/accepted/test", files);
  if (trees === null) throw new Error("no trees");
  const recalled = recallPatch(trees);
  return { counts, recalled, asked: await writePairPatch(store, "refs/relais/accepted/test", null) };
}

/** The lines and bytes that git's own comparison of two files as text adds and removes. */
function countByGit(folder: string, [before, after]: readonly [Side | null, Side | null]) {
  mkdirSync(folder, { recursive: true });
  const paths = [before, after].map((side, at) => {
    writeFileSync(join(folder, `${at}`), side?.content ?? "");
    return join(folder, `${at}`);
  });
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--text", "-U0", "--", ...paths]);
  const [, ...changed] = stdout.toString("latin1").split(/^@@ .*\n/m);
  const found = changed
    .join("")
    .split("\n")
    .filter((line) => /^[-+]/.test(line));
  const count = (sign: string): number => found.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), deleted: count("-"), bytes: found.reduce((sum, line) => sum + line.length, 0) };
}

test("the patch is the one that git makes of the stored pair, and the counts are those of each file", async () => {
  const { counts, recalled, asked } = await compare(CHANGES);
  expect(recalled?.toString("latin1")).toBe(asked.toString("latin1"));
  const box = scratchFolder();
  const expected = Object.values(CHANGES).map((sides, at) => countByGit(join(box, `${at}`), sides));
  expect(counts).toEqual(expected);
});

test("content that is no text is counted as text, and the patch still holds it", async () => {
  const { counts, recalled, asked } = await compare({ ...CHANGES, ...BINARY });
  expect(recalled?.toString("latin1")).toBe(asked.toString("latin1"));
  expect(asked.toString("latin1")).toContain("GIT binary patch");
  expect(counts.at(-1)).toEqual({ added: 2, deleted: 1, bytes: 4 + 4 + 2 });
  expect(counts.slice(0, -1)).toEqual((await compare(CHANGES)).counts);
});
