import { expect, test } from "vitest";
import { compareRefs, readRefs, resolveHead } from "../../../src/evidence/pure/refs.ts";

const A = "a".repeat(40);
const B = "b".repeat(40);

test("packing a ref does not change it, and a loose ref wins over a packed one", () => {
  const loose = readRefs("", [["refs/heads/main", `${A}\n`]]);
  const packed = readRefs(`# pack-refs with: peeled fully-peeled sorted \n${A} refs/heads/main\n^${B}\n`, []);
  expect(compareRefs(loose, packed)).toEqual([]);
  const both = readRefs(`${A} refs/heads/main\n`, [["refs/heads/main", B]]);
  expect(compareRefs(packed, both)).toEqual([{ name: "refs/heads/main", before: A, after: B }]);
});

test("HEAD leads to a commit through refs, and to none where the chain has no end", () => {
  const refs = readRefs(`${A} refs/heads/main\n`, [
    ["refs/heads/alias", "ref: refs/heads/main"],
    ["refs/heads/loop", "ref: refs/heads/loop"],
  ]);
  expect(resolveHead("ref: refs/heads/alias\n", refs)).toEqual({ text: "ref: refs/heads/alias", commit: A });
  expect(resolveHead("ref: refs/heads/loop\n", refs).commit).toBeNull();
  expect(resolveHead("ref: refs/heads/unborn\n", refs).commit).toBeNull();
  expect(resolveHead(`${B}\n`, refs).commit).toBe(B);
});
