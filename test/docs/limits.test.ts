/**
 * Every statement of docs/limits.md has an attack or a test that shows it. A paragraph or list item that is not in this
 * table, and an entry whose file is gone, fail.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const B = "test/hostile/builders";
const D = "test/damage/programs";

/** By the first words of the paragraph or list item. After `#` come words of the test. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  "After a tick the repository holds": ["test/hostile/hostile.test.ts", "test/damage/damage.test.ts"],
  "A builder is your program": [`${B}/files/home.sh`],
  "writing outside the repository": [
    `${B}/files/home.sh`,
    `${B}/files/neighbour.sh`,
    `${B}/files/state-of-another-program.sh`,
    `${B}/verification/settings-at-home.sh`,
  ],
  "using the network": [`${B}/git/pushed.sh`],
  "reading your files": [`${B}/files/home-read.sh`],
  "damaging the state directory": [
    `${B}/runner/state-directory-deleted.sh`,
    `${B}/runner/journal-forged.sh`,
    `${B}/runner/store-emptied.sh`,
    `${B}/runner/killed.sh`,
    "test/cli/limits.test.ts#deletes every record and kills relais",
  ],
  "Every card says so": ["test/hostile/inspect.ts#unsandboxed"],
  "Do not edit in the same tree": ["test/run/in-place.test.ts#changed after the candidate was collected"],
  "Editors and watchers": [`${B}/honest/fetching.sh`, `${D}/honest/git-fetch.sh`],
  "The first tick in a large repository": ["test/run/in-place.test.ts#reads only what changed"],
  "Extended attributes": [`${D}/honest/capability.sh`, `${B}/files/socket.mjs`],
  "Modification times are restored": ["test/run/in-place.test.ts#keeps size and times", `${D}/honest/times-only.sh`],
  "An immutable file": [`${B}/files/immutable.sh`],
  "A mount that exists before a tick": [
    "test/run/mounts.test.ts",
    `${B}/files/memory-mounted.sh`,
    `${B}/files/neighbour-mounted.sh`,
  ],
  "Salvage leaves out": [
    "test/run/salvage.test.ts#content under forbidden globs",
    "test/run/salvage.test.ts#what is too large",
  ],
  "Commits, stashes and branches": ["test/cli/recover-kept.test.ts#commits and stashes"],
  "If the disk of the state directory": ["test/scenarios/bad-input.test.ts#a full disk under the state directory"],
  "After a crash, run": ["test/cli/recover-kept.test.ts#ignored files are copied"],
  "That a program exited with 0": [
    `${B}/verification/exit-in-the-code-under-test.sh`,
    `${B}/verification/tests-edited.sh`,
    `${B}/verification/check-script-edited.sh`,
    `${B}/verification/helper-of-a-script-edited.sh`,
    "test/cli/inside-program.test.ts",
  ],
  "Ignored files that the builder changed": [
    `${B}/verification/ignored-module.sh`,
    `${B}/verification/ignored-module-hiding.sh`,
    `${B}/verification/shadowed-by-an-ignored-file.sh`,
    `${B}/verification/cache-forged.sh`,
    "test/io/read-watch.test.ts",
  ],
  "A copy of a forbidden file": [
    `${B}/files/secret-copied.sh`,
    `${B}/files/secret-embedded.sh`,
    `${B}/files/secret-disguised.sh`,
    `${B}/output/secret-told.sh`,
    "test/run/forbidden-content.test.ts#a copy in ignored build output is a note",
  ],
  "git itself runs or obeys": [
    `${B}/git/hook-in-the-tree.sh`,
    `${B}/git/attributes-in-scope.sh`,
    `${B}/git/included-configuration.sh`,
  ],
  "relais finds and ends processes": [
    `${B}/processes/daemon-without-a-trace.sh`,
    `${B}/processes/late-edit-from-its-own-session.sh`,
  ],
  "A builder of the same user can send signals": [
    `${B}/processes/inspector.mjs`,
    "test/cli/limits.test.ts#a builder can halt relais",
  ],
  "The state directory of a repository is found": ["test/cli/limits.test.ts#a new repository at an old path"],
  "Linux and macOS, git 2.36": ["test/cli/machine.test.ts"],
};

/** Paragraphs and list items, each as one line. */
function listStatements(page: string): readonly string[] {
  return page
    .split(/\n(?:\n+|(?=- ))/u)
    .map((block) => block.replace(/^- /u, "").replaceAll(/\s+/gu, " ").trim())
    .filter((block) => block !== "" && !block.startsWith("#"));
}

test("every statement about a limit has an attack, and every attack a statement", () => {
  const statements = listStatements(readFileSync("docs/limits.md", "utf8"));
  const beginnings = Object.keys(SHOWN_BY);
  expect(statements.filter((text) => !beginnings.some((words) => text.startsWith(words)))).toEqual([]);
  expect(beginnings.filter((words) => !statements.some((text) => text.startsWith(words)))).toEqual([]);
});

test("every attack that a limit names exists", () => {
  const missing = Object.values(SHOWN_BY)
    .flat()
    .filter((entry) => {
      const [file = "", words = ""] = entry.split("#");
      return !existsSync(file) || !readFileSync(file, "utf8").includes(words);
    });
  expect(missing).toEqual([]);
});
