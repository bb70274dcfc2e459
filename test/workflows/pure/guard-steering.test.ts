import { expect, test } from "vitest";
import { FILES_OF_TOOL } from "../../../src/checks/pure/steering-files.ts";
import { listGuardSteering } from "../../../src/workflows/pure/guard-steering.ts";

const inFiles =
  (files: Readonly<Record<string, string>>) =>
  (path: string): string | null =>
    files[path] ?? null;

const JUST = ["**/justfile", "**/.justfile", "**/*.just"];
const PACKAGE = FILES_OF_TOOL.get("npm") ?? [];
const MAKE = FILES_OF_TOOL.get("make") ?? [];

interface Case {
  readonly guard: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly globs: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "a recipe that is not there": { guard: ["just", "ci"], files: {}, globs: JUST },
  "a script": { guard: ["sh", "check.sh"], files: { "check.sh": "grep -q x y\n" }, globs: ["check.sh"] },
  "a recipe that runs the scripts of a package, which run another script": {
    guard: ["just", "ci"],
    files: {
      justfile: "# ci runs it all\nci: lint\n    @npm test\n",
      "package.json": JSON.stringify({
        scripts: { test: "CI=1 bash scripts/test.sh && node ./scripts/last.mjs" },
      }),
      "scripts/test.sh": "exec ./run-all\n",
      "run-all": "make -C native check | tee log\n",
    },
    globs: [...JUST, ...PACKAGE, "scripts/test.sh", "scripts/last.mjs", "run-all", ...MAKE],
  },
  "what a recipe and a script take in, and a script after options": {
    guard: ["make", "ci"],
    files: {
      Makefile: "-include build/one.inc build/two.inc\nci:\n\t@bash -eu -o pipefail scripts/ci\n",
      "scripts/ci": ". ./tools/lib.sh\nsource 'tools/more.sh'\nnode --test tools/t.mjs\n",
      "tools/lib.sh": "sh tools/last.sh\n",
    },
    globs: [
      ...MAKE,
      "build/one.inc",
      "build/two.inc",
      "scripts/ci",
      "tools/lib.sh",
      "tools/more.sh",
      "tools/t.mjs",
      "tools/last.sh",
    ],
  },
  "what a justfile imports": {
    guard: ["just", "ci"],
    files: { justfile: "import? 'ci.inc'\n" },
    globs: [...JUST, "ci.inc"],
  },
  "a script behind wrappers, and what it starts behind others": {
    guard: ["timeout", "60", "sh", "-c", "./a.sh"],
    files: { "a.sh": "nice -n 5 ./b.sh\n" },
    globs: ["a.sh", "b.sh"],
  },
  "scripts that call each other": {
    guard: ["sh", "a.sh"],
    files: { "a.sh": "sh b.sh", "b.sh": "sh a.sh" },
    globs: ["a.sh", "b.sh"],
  },
  "a package that cannot be read": { guard: ["npm", "test"], files: { "package.json": "{" }, globs: PACKAGE },
  "a program from elsewhere": { guard: ["true"], files: {}, globs: [] },
};

test.each(Object.entries(CASES))("%s", (_name, { guard, files, globs }) => {
  expect(listGuardSteering(guard, inFiles(files))).toEqual(globs);
});

test("however much a script starts, the list stays short", () => {
  const script = Array.from({ length: 1000 }, (_, n) => `sh part-${n}.sh`).join("\n");
  expect(listGuardSteering(["sh", "all.sh"], inFiles({ "all.sh": script }))).toHaveLength(32);
});
