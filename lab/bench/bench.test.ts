/** The bench runs; what it measures is not asserted, because machines differ. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { chooseRows } from "./choose-rows.ts";
import { mergeParts } from "./write-page.ts";
import { tickGroup } from "./tick-rows.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";

const ROOT = join(import.meta.dirname, "../..");

test("a cheap row is measured from end to end", async () => {
  const options = ["--runs", "1", "--dir", scratchFolder(), "--program", join(inject("built"), "relais.cjs")];
  const args = ["scripts/run.mjs", "lab/bench/bench.ts", "version", ...options];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: 120_000 });
  const number = String.raw`\d+(?:\.\d+)?`;
  expect(stdout).toMatch(/^Measured on .*; the floor is started by/);
  expect(stdout).toMatch(new RegExp(`^\\| --version \\| ${number} \\(${number} to ${number}\\) \\| ${number} `, "m"));
  expect(stdout).toContain("| 1.3 / 1.1 ÷ empty Node |");
  expect(stdout).not.toContain("--help");
});

test("words of one kind widen the choice, words of different kinds narrow it", () => {
  const { rows } = tickGroup({ files: 100, isBare: false }, [{ name: "other", command: "true" }]);
  const titles = (...words: string[]) => chooseRows(rows, words).map(({ title }) => title);
  expect(titles("tick", "overlay", "off", "accepted", "reverted")).toEqual([
    "100 files: accepted, overlay",
    "100 files: reverted, overlay",
  ]);
  expect(titles("10000")).toEqual([]);
  expect(titles()).toContain("100 files: peer other");
});

test("parts that were not measured stay in the page", () => {
  const page = "# Page\n\n<!-- measured -->\n\nOld.\n\n### B\n\nold b\n\n### A\n\nold a\n\n<!-- /measured -->\n";
  const parts = [{ title: "A", text: "### A\n\nnew a" }];
  const merged = mergeParts(page, { machine: "New.", parts, titles: ["A", "B", "C"] });
  expect(merged).toBe("New.\n\n### A\n\nnew a\n\n### B\n\nold b");
});
