import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runOnPaths } from "../../src/system/run-on-paths.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const NO_TEXT = Buffer.from([0x61, 0xff, 0x62]);

test.each([
  ["blanks, quotes and a new line", [Buffer.from("a b'\"\n$(x) *")]],
  ["letters of any kind", [Buffer.from("日本.ts"), Buffer.from("-rf")]],
  ["a name that is no text", [NO_TEXT, Buffer.from("plain")]],
  ["more than fits into arguments", Array.from({ length: 2000 }, (_, at) => Buffer.from(`${at}-${"x".repeat(100)}`))],
])("paths with %s reach the program as they are", (_, names) => {
  const folder = scratchFolder();
  const [near, other] = [join(folder, "near"), join(folder, "other")];
  for (const place of [near, other]) mkdirSync(place);
  const paths = names.map((name) => Buffer.concat([Buffer.from(`${near}/`), name]));
  for (const path of paths) writeFileSync(path, "");
  writeFileSync(join(other, "kept"), "");
  expect(runOnPaths(["rm", "-rf", "--"], paths)).toBeNull();
  expect([readdirSync(near), readdirSync(other)]).toEqual([[], ["kept"]]);
});

test("an answer names what the program said", () => {
  const missing = join(scratchFolder(), "missing");
  expect(runOnPaths(["cat", "--"], [Buffer.from(missing)])).toMatch(/^cat: .*missing.*No such file/u);
  expect(existsSync(missing)).toBe(false);
});

test("no path starts a program on nothing else", () => {
  expect(runOnPaths(["rm", "-f", "--"], [])).toBeNull();
});
