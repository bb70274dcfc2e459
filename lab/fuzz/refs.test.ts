import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRefs, resolveHead } from "../../src/evidence/pure/refs.ts";
import { anyBytes, damaged } from "../../test/support/arbitrary-bytes.ts";
import { fuzz } from "../../test/support/fuzz.ts";
import { PROPERTY_TIMEOUT_MS, runs } from "../../test/support/runs.ts";

const ID = "0123456789abcdef0123456789abcdef01234567";
/** Any bytes that git lets a name end with. */
const name = fc
  .uint8Array({ minLength: 1, maxLength: 12, min: 0x21 })
  .map((bytes) => `refs/heads/${Buffer.from(bytes).toString("latin1")}`);
const refs = fc.dictionary(name, fc.constantFrom(ID, ID.replace("0", "f"), `${ID}${ID.slice(0, 24)}`));

test("packed or loose, the same refs are read, and HEAD finds each of them", () => {
  fc.assert(
    fc.property(refs, (given) => {
      const entries = Object.entries(given);
      const packed = `# pack-refs with: peeled\n${entries.map(([ref, id]) => `${id} ${ref}\n^${ID}\n`).join("")}`;
      const fromPacked = readRefs(packed, []);
      expect(new Map(entries)).toEqual(fromPacked);
      expect(
        readRefs(
          "",
          entries.map(([ref, id]) => [ref, `${id}\n`] as const),
        ),
      ).toEqual(fromPacked);
      for (const [ref, id] of entries)
        expect(resolveHead(`ref: ${ref}\n`, fromPacked)).toEqual({ text: `ref: ${ref}`, commit: id });
    }),
    runs(200),
  );
});

function checkPacked(data: Buffer): void {
  const text = data.toString("latin1");
  for (const [ref, id] of readRefs(text, [])) {
    assert.match(id, /^[0-9a-f]{40,64}$/);
    assert(text.split("\n").includes(`${id} ${ref}`));
  }
  const { commit } = resolveHead(text, readRefs(text, [["refs/heads/x", text]]));
  assert(commit === null || /^[0-9a-f]{40,64}$/.test(commit));
}

test(
  "whatever packed-refs holds, only names with ids come of it",
  async () => {
    const valid = Buffer.from(`# pack-refs with: peeled fully-peeled sorted\n${ID} refs/heads/main\n^${ID}\n`);
    const bytes = fc.oneof(damaged([valid, Buffer.from("ref: refs/heads/x\n")]), anyBytes);
    expect(await fuzz({ parser: "refs", bytes, runs: 300, check: checkPacked })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);
