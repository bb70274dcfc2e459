import { expect, test } from "vitest";
import { added, change, findingsOf, link, side } from "../../support/evidence.ts";

test("created files and links are refused where new files are not allowed", () => {
  const changes = [
    change("src/edited"),
    change("src/gone", { after: null }),
    added("src/new"),
    added("src/link", link("new")),
    added("src/folder", side({ type: "directory" })),
    { ...added("dist/out"), standing: "ignored" as const },
  ];
  const findings = findingsOf("new-files", changes, { allow_new_files: false });
  expect(findings.map(({ subject }) => subject)).toEqual(["src/new", "src/link"]);
  expect(findings[0]?.code).toBe("STOP_SCOPE_VIOLATION_NEW_FILE");
});

test("they are accepted where new files are allowed", () => {
  expect(findingsOf("new-files", [added("src/new")], { allow_new_files: true })).toEqual([]);
});
