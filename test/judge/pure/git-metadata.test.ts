import { expect, test } from "vitest";
import { GitArea, type MetadataChange } from "../../../src/records/evidence.ts";
import { judge } from "../../../src/judge/pure/judge.ts";
import { evidence } from "../../support/evidence.ts";

const touched = (area: GitArea, subject = "x"): MetadataChange => ({
  area,
  subject,
  change: "modified",
  detail: null,
});

const HARMLESS: readonly GitArea[] = ["remote_refs", "noise"];

test.each(GitArea.options.filter((area) => !HARMLESS.includes(area)))("%s stops the tick", (area) => {
  const judgement = judge(evidence([], { metadata: [touched(area)] }));
  expect(judgement.findings).toMatchObject([{ code: "STOP_GIT_METADATA_MUTATION", subject: "x" }]);
});

test("remote-tracking refs are told in one note and stop nothing", () => {
  const metadata = ["origin/a", "origin/b"].map((subject) => touched("remote_refs", subject));
  expect(judge(evidence([], { metadata }))).toMatchObject({
    code: "SUCCESS",
    notes: ["Remote-tracking refs changed meanwhile: `origin/a`, `origin/b`."],
  });
});

test("noise is neither told nor stopped", () => {
  expect(judge(evidence([], { metadata: [touched("noise")] }))).toMatchObject({ code: "SUCCESS", notes: [] });
});

test("the finding says what changed and how", () => {
  const metadata: MetadataChange[] = [
    { area: "hooks", subject: "hooks/pre-commit", change: "added", detail: "executable" },
  ];
  expect(judge(evidence([], { metadata })).findings[0]?.rule).toContain("a hook was added (`executable`)");
});
