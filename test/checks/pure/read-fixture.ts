import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestReport } from "../../../src/records/test-report.ts";
import { readTestReport } from "../../../src/checks/pure/read-test-report.ts";

export const FIXTURE_FOLDER = join(import.meta.dirname, "../../fixtures/test-output");

export const readFixtureText = (name: string): string => readFileSync(join(FIXTURE_FOLDER, `${name}.txt`), "utf8");

export const readFixture = (name: string): TestReport | null => readTestReport(readFixtureText(name));
