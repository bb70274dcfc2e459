import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MeasurementError } from "../../src/base/errors.ts";
import { listGitDifference, makePatchCounter, type PatchSection } from "../../src/git/git-difference.ts";
import { withObjects } from "../../src/git/git-objects.ts";
import { anyBytes, damaged } from "../../test/support/arbitrary-bytes.ts";
import { fuzz } from "../../test/support/fuzz.ts";
import { PROPERTY_TIMEOUT_MS, runs } from "../../test/support/runs.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";
import { gitShim } from "../../test/support/workplace.ts";

const ID = "0123456789abcdef0123456789abcdef01234567";
const RAW = `:100644 100644 ${ID} ${ID} M\0src/a.ts\0:000000 120000 ${"0".repeat(40)} ${ID} A\0b c\0\0`;
const PATCH = [
  "diff --git a/src/a.ts b/src/a.ts\nindex 01..02 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n",
  "@@ -1 +1,2 @@ diff --git\n-old\n+new\n+diff --git a b\n\\ No newline at end of file\n",
  "diff --git a/b c b/b c\nnew file mode 120000\n--- /dev/null\n+++ b/b c\n@@ -0,0 +1 @@\n+target\n",
].join("");

/** A failed measurement is the one way to refuse. */
async function measured<T>(measure: () => Promise<T> | T): Promise<T | null> {
  try {
    return await measure();
  } catch (error) {
    assert(error instanceof MeasurementError, String(error));
    return null;
  }
}

function counted(chunks: readonly Buffer[]): readonly PatchSection[] {
  const counter = makePatchCounter();
  for (const chunk of chunks) counter.take(chunk);
  return counter.finish();
}

const line = fc.string({ unit: fc.constantFrom("a", "+", "-", "@", "diff --git ", "\r", "é"), maxLength: 6 });
const hunk = fc.record({
  deleted: fc.array(line, { maxLength: 3 }),
  added: fc.array(line, { maxLength: 3 }),
});

test("a patch is counted as it was made, wherever it is cut into pieces", () => {
  const sections = fc.array(fc.array(hunk, { maxLength: 3 }), { maxLength: 3 });
  fc.assert(
    fc.property(sections, fc.array(fc.nat(), { maxLength: 5 }), (made, cuts) => {
      const text = made
        .map((hunks) => {
          const bodies = hunks.map(({ deleted, added }) => {
            const head = `@@ -1,${deleted.length} +1,${added.length} @@\n`;
            return head + [...deleted.map((one) => `-${one}\n`), ...added.map((one) => `+${one}\n`)].join("");
          });
          return `diff --git a/x b/x\n--- a/x\n+++ b/x\n${bodies.join("")}`;
        })
        .join("");
      const data = Buffer.from(text);
      const places = [0, ...cuts.map((cut) => cut % (data.length + 1)), data.length].toSorted((a, b) => a - b);
      const pieces = places.slice(1).map((end, at) => data.subarray(places[at], end));
      const expected = made.map((hunks) => {
        const [deleted, added] = [hunks.flatMap((one) => one.deleted), hunks.flatMap((one) => one.added)];
        const bytes = [...deleted, ...added].reduce((sum, one) => sum + Buffer.byteLength(one) + 1, 0);
        return { added: added.length, deleted: deleted.length, bytes, binary: false };
      });
      expect(counted(pieces)).toEqual(expected);
    }),
    runs(300),
  );
});

async function checkPatch(data: Buffer): Promise<void> {
  const sections = (await measured(() => counted([data]))) ?? [];
  const bytes = sections.reduce((sum, section) => sum + section.bytes, 0);
  assert(bytes <= data.length);
  for (const { added, deleted } of sections) assert(added + deleted <= bytes);
}

test(
  "a patch of any bytes is counted within its size or refused",
  async () => {
    const bytes = fc.oneof(damaged([Buffer.from(PATCH)]), anyBytes);
    expect(await fuzz({ parser: "git-output", bytes, runs: 400, check: checkPatch })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);

/** A git that prints a file, whatever it is asked. */
function printingGit(): { readonly cwd: string; readonly print: (data: Buffer) => void } {
  const cwd = scratchFolder();
  const output = join(cwd, "output");
  gitShim(`cat ${output}`);
  return { cwd, print: (data) => writeFileSync(output, data) };
}

test(
  "a list of differences is whole or a failed measurement",
  async () => {
    const { cwd, print } = printingGit();
    const read = () => listGitDifference({ cwd, gitDir: cwd, environment: process.env }, { from: ID, to: ID });
    const check = async (data: Buffer) => {
      print(data);
      for (const { path, before, after } of (await measured(read)) ?? []) {
        assert(path !== "" && !path.includes("\0") && data.includes(path, "latin1"));
        for (const side of [before, after]) assert(side === null || /^[0-7]{6}$/.test(side.mode));
      }
    };
    print(Buffer.from(RAW + PATCH));
    expect(await read()).toMatchObject([
      { path: "src/a.ts", counts: { added: 2, deleted: 1 } },
      { path: "b c", before: null, counts: { added: 1, deleted: 0 } },
    ]);
    const bytes = fc.oneof({ weight: 5, arbitrary: damaged([Buffer.from(RAW + PATCH)], 2) }, anyBytes);
    expect(await fuzz({ parser: "git-output", bytes, runs: 50, check })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);

test(
  "an object is whole or a failed measurement",
  async () => {
    const { cwd, print } = printingGit();
    const read = () =>
      withObjects({ cwd, gitDir: cwd, environment: process.env }, (one) => Promise.all([one("a", 100), one("b", 2)]));
    const check = async (data: Buffer) => {
      print(data);
      for (const { size, content, newlines } of (await measured(read)) ?? []) {
        assert(size <= data.length && newlines <= size);
        assert(content === null || content.length === size);
      }
    };
    const valid = Buffer.from(`${ID} blob 4\nabc\n\n${ID} tree 3\nx\ny\n`);
    print(valid);
    expect(await read()).toMatchObject([
      { type: "blob", size: 4, newlines: 1 },
      { type: "tree", size: 3, newlines: 1, content: null },
    ]);
    const bytes = fc.oneof({ weight: 5, arbitrary: damaged([valid], 2) }, anyBytes);
    expect(await fuzz({ parser: "git-output", bytes, runs: 50, check })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);
