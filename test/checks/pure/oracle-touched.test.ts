import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { compileForbidden } from "../../../src/base/globs.ts";
import { listOracleGlobs, findTouchedOracle } from "../../../src/checks/pure/oracle.ts";
import { added, change } from "../../support/evidence.ts";

function settings(oracle: "note" | "frozen" | "off", runByGit: readonly string[] = []) {
  const parsed = parseConfig({ verification: { oracle } });
  if (parsed.kind !== "valid") throw new Error("the fixture is no configuration");
  return { ...parsed.value.verification, runByGit, recipes: new Map() };
}

const CHANGES = [
  change("src/a.ts"),
  change("test/a.ts"),
  change("src/b.spec.ts", { after: null }),
  added("src/__TESTS__/new.ts"),
  change("tests/out.log", { standing: "ignored" }),
];

test("edited tests are told apart from new ones", () => {
  expect(findTouchedOracle(CHANGES, settings("note"))).toEqual({
    findings: [],
    notes: [
      "Tests were changed or removed: `test/a.ts`, `src/b.spec.ts`.",
      "Tests were added: `src/__TESTS__/new.ts`.",
    ],
  });
  expect(findTouchedOracle([change("src/a.ts")], settings("note"))).toEqual({ findings: [], notes: [] });
});

test("what steers the checks is told apart from tests, and counts once", () => {
  const changes = [change("package.json"), added("test/vitest.config.ts"), added("vitest.config.ts")];
  expect(findTouchedOracle(changes, settings("note")).notes).toEqual([
    "Tests were added: `test/vitest.config.ts`.",
    "What steers the checks was changed or removed: `package.json`.",
    "What steers the checks was added: `vitest.config.ts`.",
  ]);
  expect(findTouchedOracle(changes, settings("frozen")).findings.map(({ subject }) => subject)).toEqual([
    "test/vitest.config.ts",
    "package.json",
    "vitest.config.ts",
  ]);
});

test("protected tests stop the change, each with the glob that decided", () => {
  const { findings, notes } = findTouchedOracle(CHANGES, settings("frozen"));
  expect(notes).toEqual([]);
  expect(findings.map(({ subject, glob }) => [subject, glob])).toEqual([
    ["test/a.ts", "**/test/**"],
    ["src/b.spec.ts", "**/*.spec.*"],
    ["src/__TESTS__/new.ts", "**/__tests__/**"],
  ]);
  expect(findings[0]).toMatchObject({ gate: "oracle", code: "STOP_SCOPE_VIOLATION_FORBIDDEN" });
});

test("what git runs later is told apart, also where it is ignored and where tests may be changed", () => {
  const changes = [
    change(".githooks/pre-commit"),
    change("tools/clean [1].sh", { standing: "ignored" }),
    added("src/.gitattributes"),
    change("src/a.ts"),
  ];
  const notes = [
    "What git runs or obeys on your machine later was changed or removed: `.githooks/pre-commit`, `tools/clean [1].sh`.",
    "What git runs or obeys on your machine later was added: `src/.gitattributes`.",
  ];
  const named = [".githooks", "tools/clean [1].sh", `${"x/".repeat(300)}y`];
  expect(findTouchedOracle(changes, settings("note", named)).notes).toEqual(notes);
  expect(findTouchedOracle(changes, settings("off", named)).notes).toEqual(notes);
  expect(findTouchedOracle(changes, settings("frozen", named)).findings.map(({ subject }) => subject)).toEqual([
    ".githooks/pre-commit",
    "tools/clean [1].sh",
    "src/.gitattributes",
  ]);
  expect(compileForbidden(listOracleGlobs(settings("frozen", named)))(".githooks/pre-commit")).toBe(".githooks");
  expect(findTouchedOracle(changes, settings("note")).notes).toEqual([
    "What git runs or obeys on your machine later was added: `src/.gitattributes`.",
  ]);
});

test("where tests may be changed there is nothing to say", () => {
  expect(findTouchedOracle(CHANGES, settings("off"))).toEqual({ findings: [], notes: [] });
});
