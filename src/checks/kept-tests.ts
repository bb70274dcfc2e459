/** The test reports of checks, by their hash: the journal has the hash, so nobody can change a report unseen. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { StoredTestReport, type TestReport } from "../records/test-report.ts";
import { parseWith } from "../base/schema-error.ts";
import { packTestReport, unpackTestReport } from "./pure/stored-report.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { makeFolders } from "../system/make-folders.ts";

const BYTES_MAX = 16 * 1024 * 1024;

export async function keepTestReport(stateDirectory: string, report: TestReport): Promise<string> {
  const text = JSON.stringify(packTestReport(report));
  const sha256 = createHash("sha256").update(text).digest("hex");
  makeFolders(join(stateDirectory, "tests"), 0o700);
  await writeAtomic(locateReport(stateDirectory, sha256), text, { mode: 0o600 });
  return sha256;
}

/** Null where it is lost, or not what was kept. */
export async function readKeptTests(stateDirectory: string, sha256: string): Promise<TestReport | null> {
  const read = await readBounded(locateReport(stateDirectory, sha256), BYTES_MAX);
  if (read.kind !== "read" || createHash("sha256").update(read.data).digest("hex") !== sha256) return null;
  const parsed = parseWith(StoredTestReport, JSON.parse(read.data.toString("utf8")));
  return parsed.kind === "valid" ? unpackTestReport(parsed.value) : null;
}

function locateReport(stateDirectory: string, sha256: string): string {
  return join(stateDirectory, "tests", `${sha256}.json`);
}
