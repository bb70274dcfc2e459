import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TestReport } from "../../../src/contract/evidence/test-report.ts";
import { readTestReport } from "../../../src/core/test-report/read-test-report.ts";
import { FIXTURES } from "./fixture-table.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures/test-output");

/** Runners, numbers, which names are known, and what is missing. */
function describeReport(report: TestReport | null): string {
  if (report === null) return "nothing";
  const { runners, counts, namesKnown, isComplete, isListed, silentFiles } = report;
  const numbers = Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []));
  const names = `names ${namesKnown}`;
  const missing = [isComplete ? "" : "no end", isListed ? "" : "no list", silentFiles.length > 0 ? "silent file" : ""];
  return [runners.join(" + "), numbers.join(" ") || "0", names, ...missing.filter((word) => word !== "")].join(", ");
}

test("every recorded output is read as the table says", () => {
  const names = readdirSync(FOLDER).map((name) => name.replace(/\.txt$/, ""));
  const found = names.map((name) => [
    name,
    describeReport(readTestReport(readFileSync(join(FOLDER, `${name}.txt`), "utf8"))),
  ]);
  expect(Object.fromEntries(found)).toEqual(FIXTURES);
});
