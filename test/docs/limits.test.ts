/**
 * Every statement of docs/limits.md has an attack or a test that shows it. A paragraph or list item that is not in this
 * table, and an entry whose file is gone, fail.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const B = "drill";
const D = "test/damage/programs";
const J = "test/judgement/cases";

/** By the first words of the paragraph or list item. After `#` come words of the test. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  "After a tick the repository holds": ["test/hostile/hostile.test.ts", "test/damage/damage.test.ts"],
  "Filters, and hooks if you ask": ["test/run/overlay-limits.test.ts#hooks run outside", "test/scenarios/filters.ts"],
  "A tick may add 50,000": ["test/run/growth.test.ts#only the first are listed", "test/run/large-flood.test.ts"],
  "The free space of the file system": [`${B}/files/flood-of-holes.sh`],
  "Until the watch has counted": [`${B}/files/flood-without-end.sh`, `${B}/files/flood-of-files.sh`],
  "What it writes outside": [
    "test/run/growth.test.ts#the watch notices too many files",
    "test/scenarios/bad-input.test.ts#a full disk under the state directory",
  ],
  "A folder with more than": ["test/run/growth.test.ts#a renamed folder with more entries"],
  "A builder is your program": [`${B}/files/home.sh`],
  "writing outside the repository": [
    `${B}/files/home.sh`,
    `${B}/files/neighbour.sh`,
    `${B}/files/state-of-another-program.sh`,
    `${B}/verification/settings-at-home.sh`,
  ],
  "using the network": [`${B}/git/pushed.sh`],
  "reading your files": [`${B}/files/home-read.sh`],
  "signing a false": [`${B}/files/home-read.sh`, "test/cli/proof.test.ts#that breaks during a tick"],
  "damaging the state directory": [
    `${B}/runner/state-directory-deleted.sh`,
    `${B}/runner/journal-forged.sh`,
    `${B}/runner/store-emptied.sh`,
    `${B}/runner/killed.sh`,
    "test/cli/limits.test.ts#deletes every record and kills relais",
  ],
  "changing relais itself": [
    "test/cli/start-up.test.ts#even if its builder writes others",
    "test/cli/compiled-code.test.ts#a builder cannot forge code",
  ],
  "Every card says so": ["test/hostile/setting.ts#unsandboxed"],
  "Do not edit in the same tree": ["test/run/in-place.test.ts#changed after the candidate was collected"],
  "Editors and watchers": [`${B}/honest/fetching.sh`, `${D}/honest/git-fetch.sh`],
  "The first tick in a large repository": ["test/run/in-place.test.ts#reads only what changed"],
  "Extended attributes, access control lists and sockets": [`${D}/honest/capability.sh`, `${B}/files/socket.mjs`],
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
  "A builder can kill relais and forge": ["test/cli/recover-forged.test.ts", "test/cli/recover-asks.test.ts"],
  "A file that is as the builder left it": ["test/cli/recover-limits.test.ts#stays as the builder left it"],
  "A builder that commits its forgery": ["test/cli/recover-limits.test.ts#that the builder commits"],
  "New files that are neither": ["test/cli/recover-limits.test.ts#new file since the crash"],
  "Ignored build output": ["test/cli/recover-limits.test.ts#ignored build output"],
  "Loose objects": ["test/cli/recover-limits.test.ts#a loose object"],
  "If you answer yes": ["test/cli/recover-forged.test.ts#a yes on the terminal"],
  "That a program exited with 0": [
    `${B}/verification/exit-in-the-code-under-test.sh`,
    `${B}/verification/tests-edited.sh`,
    `${B}/verification/check-script-edited.sh`,
    `${B}/verification/helper-of-a-script-edited.sh`,
    "test/cli/inside-program.test.ts",
  ],
  "No check and no rule knows": ["test/judgement/judgement-labels.test.ts"],
  "a requirement that no test looks at": [`${J}/unseen-requirement/js-no-error/case.json`],
  "a special case for the inputs": [`${J}/special-cases/go-known-lengths/case.json`],
  "whether a changed expectation is right": [
    `${J}/within-allowed-changes/js-wrong-snapshot/case.json`,
    "test/run/pinned-tests.test.ts#unless the task names it",
  ],
  "what failed before, if the checks": [
    "test/run/baseline.test.ts#checks that take too long",
    "test/run/baseline.test.ts#a check that runs once",
  ],
  "which tests ran, if relais cannot": ["test/core/test-report/fixtures.test.ts#a summary of another program"],
  "what an agent without a sandbox": ["test/run/held-out.test.ts#files that an agent can look for"],
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
    `${B}/processes/daemon-that-hides-its-memory.sh`,
    "test/io/process-limits.test.ts#without any sign but the inherited limit",
  ],
  "if it lowers that limit": [
    "test/io/process-limits.test.ts#one that lowers that limit",
    `${B}/processes/daemon-below-its-limit.sh`,
    `${B}/processes/daemon-that-hides-below-its-limit.sh`,
  ],
  "after a kill of relais": ["test/io/process-limits.test.ts#after a kill of relais"],
  "if another program of the same user": ["test/io/process-limits.test.ts#another program of the same user"],
  "Not tried: root": ["test/io/supervise-family.test.ts#that nobody can attribute"],
  "A builder of the same user can send signals": [
    `${B}/processes/inspector.mjs`,
    "test/cli/limits.test.ts#a builder can halt relais",
    "test/cli/limits.test.ts#a limit that makes relais fail",
  ],
  "Where the system lets a process attach": ["test/cli/limits.test.ts#can open the memory of relais"],
  "None of this applies in an overlay": ["test/run/overlay.test.ts", "test/run/overlay-limits.test.ts"],
  "Your working tree changes only": ["test/run/own-places.test.ts#nothing outside"],
  "Extended attributes and access control lists are neither": ["test/run/overlay-limits.test.ts#extended attributes"],
  "A file that git does not track": ["test/run/overlay-limits.test.ts#an ignored file that a person deletes"],
  "Without a sandbox, a builder can write into": [
    "test/run/overlay-limits.test.ts#can be reached by its path",
    "test/run/clone-original.test.ts#edits of the original are listed",
    `${B}/place/outside-by-process-folders.sh`,
  ],
  "After a crash, a merge": ["test/cli/recover-merge.test.ts#only the evidence calls new"],
  "With something mounted": ["test/run/overlay-limits.test.ts#something mounted"],
  "Without a sandbox, also": ["test/run/overlay-limits.test.ts"],
  "A builder can have your working tree edited": [
    "test/run/overlay-limits.test.ts#a program that ran before writes",
    "test/scenarios/preflight.ts#BLOCKED_DIRTY_WORKTREE",
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
