import { expect, test } from "vitest";
import type { Entry } from "../../../src/base/manifest.ts";
import { listTouchedPaths } from "../../../src/evidence/pure/compare-manifests.ts";

const WAS: Entry = {
  type: "file",
  mode: 0o644,
  size: 1,
  owner: "7:7",
  hardLinks: 1,
  stamp: "1:20:30",
  id: "a",
  target: null,
  forced: false,
};

function touched(change: Partial<Entry>): readonly string[] {
  return listTouchedPaths(new Map([["x", WAS]]), new Map([["x", { ...WAS, ...change }]]));
}

test("only an entry of which nothing but the time of its change differs was touched unseen", () => {
  expect(touched({ stamp: "1:20:31" })).toEqual(["x"]);
  expect(touched({})).toEqual([]);
  // A new time of modification, a new file, and what a comparison shows are other matters.
  expect(touched({ stamp: "1:21:31" })).toEqual([]);
  expect(touched({ stamp: "2:20:31" })).toEqual([]);
  for (const change of [{ mode: 0o600 }, { owner: "0:0" }, { id: "b" }, { hardLinks: 2 }, { forced: true }])
    expect(touched({ stamp: "1:20:31", ...change })).toEqual([]);
  expect(listTouchedPaths(new Map([["x", WAS]]), new Map())).toEqual([]);
});
