import { expect, test } from "vitest";
import type { Entry } from "../../../src/base/manifest.ts";
import {
  hideEntries,
  listMountChanges,
  listMountsAround,
  findPlaceIn,
} from "../../../src/evidence/pure/mount-changes.ts";

const at = (point: string, kind = "ext4 /") => ({ point, kind });

test("mounts at, above and below a folder count, and no others", () => {
  const all = ["/", "/home", "/home/me", "/home/me/repo", "/home/me/repo/x", "/home/me/repository", "/srv"];
  const around = listMountsAround(
    all.map((point) => at(point)),
    ["/home/me/repo"],
  );
  expect(around.map(({ point }) => point)).toEqual(all.slice(0, 5));
});

test.each([
  [[at("/r/x")], [at("/r/x"), at("/r/y")], [{ point: "/r/y", became: "mounted" }]],
  [[at("/r/x")], [at("/r/x"), at("/r/x")], [{ point: "/r/x", became: "mounted" }]],
  [[at("/r/x")], [], [{ point: "/r/x", became: "unmounted" }]],
  [[at("/r/x"), at("/r/y")], [at("/r/y"), at("/r/x")], []],
])("what %j has more often than %j, or less, has changed", (before, now, changes) => {
  expect(listMountChanges(before, now)).toEqual(changes);
});

test("another one in the same place was mounted, and the first one unmounted", () => {
  expect(listMountChanges([at("/r/x")], [at("/r/x", "ext4 /etc")]).map(({ became }) => became)).toEqual([
    "mounted",
    "unmounted",
  ]);
});

test("a place is told from its folder", () => {
  expect(findPlaceIn("/r", "/r/a/b")).toBe("a/b");
  expect(findPlaceIn("/r", "/")).toBe("");
  expect(findPlaceIn("/r", "/r")).toBe("");
  expect(findPlaceIn("/r", "/rest")).toBe(null);
});

const entry = (type: Entry["type"], id: string | null = null): Entry => ({
  type,
  mode: 0o755,
  size: 0,
  owner: "0:0",
  hardLinks: 1,
  stamp: "1:1:1",
  id,
  target: null,
  forced: false,
});

test("all that is at a place is as it was, and a new folder on the way to it counts as not there", () => {
  const before = new Map([
    ["", entry("directory")],
    ["file", entry("file", "1")],
    ["old", entry("directory")],
    ["old/in", entry("file", "2")],
  ]);
  const now = new Map([
    ["", entry("directory")],
    ["file", entry("directory")],
    ["file/beside", entry("file", "3")],
    ["new", entry("directory")],
  ]);
  expect([...hideEntries(now, before, ["file/m", "new/m", "old"])].map(([path, { id }]) => [path, id])).toEqual([
    ["", null],
    ["file/beside", "3"],
    ["file", "1"],
    ["old", null],
    ["old/in", "2"],
  ]);
});
