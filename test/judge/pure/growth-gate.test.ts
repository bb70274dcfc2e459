import { expect, test } from "vitest";
import { judge } from "../../../src/judge/pure/judge.ts";
import { change, evidence } from "../../support/evidence.ts";

test("too many new files or bytes are refused before anything else, with a cause of their own", () => {
  const outside = [change("other/file.ts")];
  expect(judge(evidence(outside, { excess: { kind: "files", max: 300 } }))).toMatchObject({
    code: "STOP_DIFF_TOO_LARGE",
    cause: "too_many_files",
    findings: [{ gate: "growth", rule: expect.stringContaining("More than 300 new files") }, { gate: "allowed-scope" }],
  });
  expect(judge(evidence([], { excess: { kind: "bytes", max: 5 * 1024 * 1024 } }))).toMatchObject({
    code: "STOP_DIFF_TOO_LARGE",
    cause: "too_many_bytes",
    findings: [{ rule: expect.stringContaining("More than 5 MB of new data") }],
  });
});
