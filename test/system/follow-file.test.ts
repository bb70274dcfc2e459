import { appendFileSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { followLines } from "../../src/system/follow-file.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "relais-follow-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("what is added is told once, and what was cut off is forgotten", () => {
  const path = join(folder, "log");
  const news = followLines(path);
  expect(news()).toEqual([]);
  appendFileSync(path, "one\n");
  expect([news(), news()]).toEqual([["one"], []]);
  truncateSync(path);
  expect(news()).toEqual([]);
  appendFileSync(path, "two\n");
  expect(news()).toEqual(["two"]);
});

test("a character that is written in two halves is one character", () => {
  const path = join(folder, "log");
  const news = followLines(path);
  const [first, ...others] = Buffer.from("é");
  appendFileSync(path, Buffer.from([first ?? 0]));
  const half = news();
  appendFileSync(path, Buffer.from([...others, 10]));
  expect([half, news()]).toEqual([[], ["é"]]);
});

test("a line that is written in two halves is one line", () => {
  const path = join(folder, "log");
  const news = followLines(path);
  appendFileSync(path, "one\ntw");
  expect(news()).toEqual(["one"]);
  expect(news()).toEqual([]);
  appendFileSync(path, "o\n");
  expect(news()).toEqual(["two"]);
});
