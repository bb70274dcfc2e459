import { expect, test } from "vitest";
import { added, change, findingsOf } from "../../support/evidence.ts";

const LOCKED = { lockfiles: ["package-lock.json", "tools/deps.lock"], allow_lockfile_changes: false };

test.each([
  ["package-lock.json", "package-lock.json"],
  ["src/packages/x/Package-Lock.JSON", "package-lock.json"],
  ["tools/deps.lock", "tools/deps.lock"],
])("%s is a lockfile", (path, glob) => {
  for (const subject of [change(path), added(path), change(path, { after: null })]) {
    expect(findingsOf("lockfiles", [subject], LOCKED)).toMatchObject([
      { code: "STOP_LOCKFILE_CHANGE_FORBIDDEN", subject: path, glob },
    ]);
  }
});

test.each(["src/my-package-lock.json", "other/deps.lock", "package-lock.json/readme"])("%s is not", (path) => {
  expect(findingsOf("lockfiles", [change(path)], LOCKED)).toEqual([]);
});

test("an allowed or ignored lockfile is accepted", () => {
  const path = "package-lock.json";
  expect(findingsOf("lockfiles", [change(path)], { ...LOCKED, allow_lockfile_changes: true })).toEqual([]);
  expect(findingsOf("lockfiles", [change(path, { standing: "ignored" })], LOCKED)).toEqual([]);
});
