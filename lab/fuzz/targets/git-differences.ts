import assert from "node:assert/strict";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import { MeasurementError } from "../../../src/base/errors.ts";
import { openDifferenceParser } from "../../../src/git/git-difference.ts";
import { type GitObject, openObjectParser, parseChecks } from "../../../src/git/git-objects.ts";
import { measure } from "../measure.ts";

const ID = "0123456789abcdef0123456789abcdef01234567";
const NONE = "0".repeat(40);
const PATHS = ["a", "a b", "d/é", "new\nline", ":100644", "diff --git a/x b/x"];
const MODES = ["100644", "100755", "120000", "160000"];
const LINES = ["a", "", "diff --git a/x b/x", "@@ -1 +1 @@", "\r", "Binary files ", "é\0"];
const OBJECTS = ["", "a\n", "a\nb", `${ID} blob 3\n`];
const KEEP_BYTES_MAX = 8;
const QUESTIONS = 4;

/** Lists of changed entries with their patches, and objects: long answers of git that come in pieces. */
export const gitDifferences: FuzzTarget = {
  name: "git-differences",
  seeds: () =>
    [
      `:100644 100644 ${ID} ${ID} M\0a\0\0diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-a\n+b\n+c\n`,
      `:100644 120000 ${ID} ${ID} T\0a\0\0diff --git a/a b/a\ndeleted file mode 100644\ndiff --git a/a b/a\nnew file mode 120000\n`,
      `:100644 100644 ${ID} ${ID} M\0a\0\0diff --git a/a b/a\nBinary files a/a and b/a differ\n`,
      `${ID} blob 3\na\nb\n${ID} tree 0\n\nx missing\n`,
      "blob 3\ntree 20\nx missing\ncommit 9\n",
    ].map((text) => Buffer.from(text)),
  words: ["\0", "\0\0", ":000000 100644 ", " missing\n", " ambiguous\n", "diff --git ", "@@ -0,0 +1 @@\n", NONE, ID],
  generate: (random) => Buffer.from(random.below(3) === 0 ? makeObjects(random) : makeDifference(random)),
  check: (data) => {
    checkDifference(data);
    checkObjects(data);
    checkSizes(data.toString("latin1"));
  },
};

function makeObjects(random: Random): string {
  return Array.from({ length: random.below(5) }, () => {
    const content = random.pick(OBJECTS) ?? "";
    return random.below(4) === 0 ? "x missing\n" : `${ID} blob ${content.length}\n${content}\n`;
  }).join("");
}

function makeDifference(random: Random): string {
  const entries = Array.from({ length: 1 + random.below(4) }, () => makeEntry(random));
  return `${entries.map(({ raw }) => raw).join("")}\0${entries.map(({ patch }) => patch).join("")}`;
}

function makeEntry(random: Random): { readonly raw: string; readonly patch: string } {
  const [before, after] = [random.pick(["000000", ...MODES]), random.pick(MODES)];
  const isOtherType = before !== "000000" && before?.slice(0, 3) !== after?.slice(0, 3);
  const raw = `:${before} ${after} ${before === "000000" ? NONE : ID} ${ID} M\0${random.pick(PATHS)}\0`;
  return { raw, patch: Array.from({ length: isOtherType ? 2 : 1 }, () => makePatch(random)).join("") };
}

function makePatch(random: Random): string {
  const head = "diff --git a/x b/x\nindex 01..02\n";
  if (random.below(4) === 0) return `${head}Binary files a/x and b/x differ\n`;
  const [deleted, added] = ["-", "+"].map((sign) =>
    Array.from({ length: random.below(3) }, () => `${sign}${random.pick(LINES)}\n`),
  );
  const lines = [...(deleted ?? []), ...(added ?? [])];
  return `${head}@@ -1,${deleted?.length} +1,${added?.length} @@\n${lines.join("")}`;
}

const bytesOf = (data: Buffer): readonly Buffer[] => Array.from(data, (_, at) => data.subarray(at, at + 1));
const halvesOf = (data: Buffer): readonly Buffer[] => {
  const half = data.length >> 1;
  return [data.subarray(0, half), data.subarray(half)];
};

function readDifference(pieces: readonly Buffer[]) {
  return measure(() => {
    const parser = openDifferenceParser();
    for (const piece of pieces) parser.take(piece);
    return parser.finish();
  });
}

/** Whole, in two pieces or byte by byte: the same, and all of the list is told. */
function checkDifference(data: Buffer): void {
  const whole = readDifference([data]);
  for (const pieces of [halvesOf(data), bytesOf(data)])
    assert.deepEqual(readDifference(pieces), whole, "other changes in pieces");
  if (whole === null) return;
  const [list = ""] = data.toString("latin1").split("\0\0", 1);
  const paths = list.split("\0").filter((_, at) => at % 2 === 1);
  assert.deepEqual(
    whole.map(({ path }) => path),
    paths,
    "an entry is lost",
  );
  for (const { path, counts } of whole) {
    assert(path !== "" && !path.includes("\0"), "an entry without a path");
    if (counts !== null) assert(counts.added + counts.deleted <= counts.bytes && counts.bytes <= data.length);
  }
}

interface ReadObjects {
  readonly objects: readonly GitObject[];
  readonly refused: number;
  readonly isBroken: boolean;
}

function readObjects(pieces: readonly Buffer[]): ReadObjects {
  const objects: GitObject[] = [];
  let [refused, measured] = [0, 0];
  const reject = (error: unknown): void => {
    assert(error instanceof MeasurementError);
    refused += 1;
  };
  const pending = Array.from({ length: QUESTIONS }, (_, at) =>
    at === QUESTIONS - 1
      ? { kind: "size" as const, name: String(at), resolve: () => void (measured += 1), reject }
      : {
          kind: "content" as const,
          name: String(at),
          keepBytesMax: KEEP_BYTES_MAX,
          resolve: (object: GitObject) => void objects.push(object),
          reject,
        },
  );
  const take = openObjectParser(pending);
  const isBroken = measure(() => pieces.forEach((piece) => take(piece))) === null;
  assert.equal(
    objects.length + measured + refused + pending.length,
    QUESTIONS,
    "a question with two answers, or with none",
  );
  return { objects, refused, isBroken };
}

/** An object is as long as it says, however it comes. */
function checkObjects(data: Buffer): void {
  const whole = readObjects([data]);
  for (const pieces of [halvesOf(data), bytesOf(data)])
    assert.deepEqual(readObjects(pieces), whole, "other objects in pieces");
  for (const { size, content, newlines } of whole.objects) {
    assert(size <= data.length && newlines <= size);
    assert.equal(content === null, size > KEEP_BYTES_MAX);
    if (content !== null) assert(content.length === size && data.includes(content));
  }
}

function checkSizes(text: string): void {
  const count = text.split("\n").length - 1;
  const sizes = parseChecks(text, count);
  assert.equal(sizes.length, count);
  for (const [at, { type, size }] of sizes.entries())
    if (type !== null) assert.equal(`${type} ${size}`, text.split("\n")[at]?.replace(/ 0+(?=\d)/, " "));
  assert.equal(
    measure(() => parseChecks(text, count + 1)),
    null,
    "an answer that is missing",
  );
}
