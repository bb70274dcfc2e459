/**
 * Every sentence of docs/limits.md has an attack or a test that shows it, or is listed as one that has none. A sentence
 * that is in no table, and an entry whose file is gone, fail.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const A = "attacks";
const J = "lab/judgement/cases";

/** By the first words of the sentence. After `#` come words of the test. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  "After a tick the repository holds": ["test/attacks/tick.test.ts", "test/attacks/kernel.test.ts"],
  "Filters, and hooks if you ask": ["test/place/overlay-limits.test.ts#hooks run outside", "test/scenarios/filters.ts"],
  "`accept` of a held change": ["test/commands/held.test.ts#an agent decides nothing"],
  "A tick may add 50,000": [
    "test/place/growth-in-places.test.ts#only the first are listed",
    "test/place/large-flood.test.ts",
  ],
  "The free space of the file system": [`${A}/files/flood-of-holes.sh`],
  "Until the watch has counted": [`${A}/files/flood-without-end.sh`, `${A}/files/flood-of-files.sh`],
  "What it writes outside": [
    "test/place/growth-in-places.test.ts#the watch notices too many files",
    "test/scenarios/bad-input.test.ts#a full disk under the state directory",
  ],
  "A folder with more than": ["test/place/growth-in-places.test.ts#a renamed folder with more entries"],
  "A builder is your program": [`${A}/files/home.sh`],
  "writing outside the repository": [
    `${A}/files/home.sh`,
    `${A}/files/neighbour.sh`,
    `${A}/files/state-of-another-program.sh`,
    `${A}/verification/settings-at-home.sh`,
  ],
  "using the network": [`${A}/git/pushed.sh`],
  "reading your files": [`${A}/files/home-read.sh`],
  "signing a false": [`${A}/files/home-read.sh`, "test/commands/proof.test.ts#that breaks during a tick"],
  "damaging the state directory": [
    `${A}/runner/state-directory-deleted.sh`,
    `${A}/runner/journal-forged.sh`,
    `${A}/runner/store-emptied.sh`,
    `${A}/runner/killed.sh`,
    "test/commands/limits.test.ts#deletes every record and kills relais",
  ],
  "changing relais itself": [
    "test/commands/start-up.test.ts#even if its builder writes others",
    "test/commands/compiled-code.test.ts#a builder cannot forge code",
  ],
  "Every card says so": ["test/attacks/setting.ts#unsandboxed"],
  "Do not edit in the same tree": ["test/faults/mid-tick.test.ts#judged and kept with the work"],
  "Salvage keeps a copy": ["test/faults/mid-tick.test.ts#salvage has both"],
  "Editors and watchers": [`${A}/honest/fetching.sh`, `${A}/honest/git-fetch.sh`],
  "The first tick in a large repository": ["test/place/in-place.test.ts#reads only what changed"],
  "Extended attributes, access control lists and sockets": [`${A}/honest/capability.sh`, `${A}/files/socket.mjs`],
  "Modification times are restored": ["test/place/in-place.test.ts#keeps size and times", `${A}/honest/times-only.sh`],
  "An immutable file": [`${A}/files/immutable.sh`],
  "A mount that exists before a tick": [
    "test/place/mounts-in-tree.test.ts",
    `${A}/files/memory-mounted.sh`,
    `${A}/files/neighbour-mounted.sh`,
  ],
  "Salvage leaves out": [
    "test/keep/salvage.test.ts#content under forbidden globs",
    "test/keep/salvage.test.ts#what is too large",
  ],
  "Commits, stashes and branches": ["test/commands/recover-kept.test.ts#commits and stashes"],
  "If the disk of the state directory": ["test/scenarios/bad-input.test.ts#a full disk under the state directory"],
  "After a crash, run": ["test/commands/recover-kept.test.ts#ignored files are copied"],
  "A builder can kill relais and forge": ["test/commands/recover-forged.test.ts", "test/commands/recover-asks.test.ts"],
  "A file that is as the builder left it": ["test/commands/recover-limits.test.ts#stays as the builder left it"],
  "A builder that commits its forgery": ["test/commands/recover-limits.test.ts#that the builder commits"],
  "New files that are neither": ["test/commands/recover-limits.test.ts#new file since the crash"],
  "Ignored build output": ["test/commands/recover-limits.test.ts#ignored build output"],
  "Loose objects": ["test/commands/recover-limits.test.ts#a loose object"],
  "If you answer yes": ["test/commands/recover-forged.test.ts#a yes on the terminal"],
  "That a program exited with 0": [
    `${A}/verification/exit-in-the-code-under-test.sh`,
    `${A}/verification/tests-edited.sh`,
    `${A}/verification/check-script-edited.sh`,
    `${A}/verification/helper-of-a-script-edited.sh`,
    "test/commands/inside-program.test.ts",
  ],
  "a requirement that no test looks at": [`${J}/unseen-requirement/js-no-error.txt`],
  "a special case for the inputs": [`${J}/special-cases/go-known-lengths.txt`],
  "one skipped test among many": ["test/judge/pure/note-sparse.test.ts#a note in a large one"],
  "whether a changed expectation is right": [
    `${J}/within-allowed-changes/js-wrong-snapshot.txt`,
    "test/checks/pinned-tests.test.ts#unless the task names it",
  ],
  "what failed before, if the checks": [
    "test/checks/baseline.test.ts#checks that take too long",
    "test/checks/baseline.test.ts#a check that runs once",
  ],
  "which tests ran, if relais cannot": ["test/checks/pure/fixtures.test.ts#a summary of another program"],
  "what an agent without a sandbox": ["test/checks/held-out-files.test.ts#files that an agent can look for"],
  "Ignored files that the builder changed": [
    `${A}/verification/ignored-module.sh`,
    `${A}/verification/ignored-module-hiding.sh`,
    `${A}/verification/shadowed-by-an-ignored-file.sh`,
    `${A}/verification/cache-forged.sh`,
    "test/store/read-watch.test.ts",
  ],
  "A copy of a forbidden file": [
    `${A}/files/secret-copied.sh`,
    `${A}/files/secret-embedded.sh`,
    `${A}/files/secret-disguised.sh`,
    `${A}/output/secret-told.sh`,
    "test/evidence/find-forbidden-content.test.ts#a copy in ignored build output is a note",
  ],
  "git itself runs or obeys": [
    `${A}/git/hook-in-the-tree.sh`,
    `${A}/git/attributes-in-scope.sh`,
    `${A}/git/included-configuration.sh`,
  ],
  "relais finds and ends processes": [
    `${A}/processes/daemon-without-a-trace.sh`,
    `${A}/processes/late-edit-from-its-own-session.sh`,
    `${A}/processes/daemon-that-hides-its-memory.sh`,
    "test/process/process-limits.test.ts#without any sign but the inherited limit",
  ],
  "if it lowers that limit": [
    "test/process/process-limits.test.ts#one that lowers that limit",
    `${A}/processes/daemon-below-its-limit.sh`,
    `${A}/processes/daemon-that-hides-below-its-limit.sh`,
  ],
  "after a kill of relais": ["test/process/process-limits.test.ts#after a kill of relais"],
  "if another program of the same user": ["test/process/process-limits.test.ts#another program of the same user"],
  "A plain server and tmux": ["test/process/process-limits.test.ts#a tmux server"],
  "A process that cannot be ended": ["test/commands/limits.test.ts#that cannot be ended stops the tick"],
  "A builder of the same user can send signals": [
    `${A}/processes/inspector.mjs`,
    "test/commands/limits.test.ts#a builder can halt relais",
    "test/commands/limits.test.ts#a limit that makes relais fail",
  ],
  "Where the system lets a process attach": ["test/commands/limits.test.ts#can open the memory of relais"],
  "None of this applies in an overlay": ["test/place/overlay.test.ts", "test/place/overlay-limits.test.ts"],
  "Your working tree changes only": ["test/place/own-places.test.ts#nothing outside"],
  "Extended attributes and access control lists are neither": ["test/place/overlay-limits.test.ts#extended attributes"],
  "A file that git does not track": ["test/place/overlay-limits.test.ts#an ignored file that a person deletes"],
  "Without a sandbox, a builder can write into": [
    "test/place/overlay-limits.test.ts#can be reached by its path",
    "test/place/clone-original.test.ts#edits of the original are listed",
    `${A}/place/outside-by-process-folders.sh`,
  ],
  "After a crash, a merge": ["test/commands/recover-merge.test.ts#only the evidence calls new"],
  "With something mounted": ["test/place/overlay-limits.test.ts#something mounted"],
  "A builder can have your working tree edited": [
    "test/place/overlay-limits.test.ts#a program that ran before writes",
    "test/scenarios/preflight.ts#BLOCKED_DIRTY_WORKTREE",
  ],
  "The state directory of a repository is found": ["test/commands/limits.test.ts#a new repository at an old path"],
  "Linux and macOS, git 2.36": ["test/commands/machine.test.ts"],
  "The card of a tick names both": ["test/attacks/setting.ts#card"],
  "Files that steer the checks": [
    `${A}/verification/check-script-edited.sh`,
    `${A}/verification/recipe-edited.sh`,
    `${A}/verification/package-script-edited.sh`,
    `${A}/verification/runner-configured-away.sh`,
    `${A}/verification/helper-of-a-script-edited.sh`,
  ],
  "A program found through an absolute folder": ["test/commands/inside-program.test.ts"],
  "Only a held-out check": ["test/checks/held-out-files.test.ts"],
  "The rules know the usual ones": ["test/judge/pure/test-literals.test.ts", "test/judge/pure/test-aware.test.ts"],
  "relais sees a read by the time": ["test/store/read-watch.test.ts#read or started are told"],
  "On a mount that keeps no such times": ["test/system/mounts.test.ts#noatime"],
  "Caches of tools": ["test/checks/caches-of-tools.test.ts#CACHEDIR.TAG", `${A}/verification/cache-forged.sh`],
  "Any other form is not found": ["test/evidence/find-forbidden-content.test.ts#a secret in another form"],
  "Files above 64 KiB": ["test/evidence/find-forbidden-content.test.ts#above 64 KiB"],
  "Credentials are known by their shape": ["test/evidence/find-credentials.test.ts#an honest change has none"],
  "A password, or a key of a provider without a rule": [
    "test/evidence/find-credentials.test.ts#what no rule knows is not found",
  ],
  "In ignored build output": [
    "test/evidence/find-forbidden-content.test.ts#a copy in ignored build output is a note",
    `${A}/files/secret-linked-to-build-output.sh`,
  ],
  "In the builder's own words": [`${A}/output/secret-told.sh`],
  "relais runs none of them": [
    "test/scenarios/filters.ts",
    `${A}/git/filter-program.sh`,
    `${A}/git/hook-in-the-tree.sh`,
  ],
  "The card notes a change to one": [`${A}/git/hook-in-the-tree.sh`, `${A}/git/included-configuration.sh`],
  "`frozen` refuses it": [`${A}/git/hook-in-the-tree-where-forbidden.sh`],
  "An agent or a check that adds more": [`${A}/files/flood-of-files.sh`, `${A}/verification/flood-at-the-check.sh`],
  "The evidence then lists": ["test/place/growth-in-places.test.ts#only the first are listed"],
  "In place, new folders": [
    "test/place/growth-in-places.test.ts#in the middle of a flood",
    `${A}/git/flood-of-objects.sh`,
  ],
  "A builder that uses none": [`${A}/files/flood-of-holes.sh`],
  "A full disk can make": ["test/scenarios/bad-input.test.ts#a full disk under the state directory"],
  "`relais recover` reverts the repository": ["test/faults/mid-tick.test.ts#without a free inode"],
  "It lists what it left out": ["test/keep/salvage.test.ts#what is too large is named"],
  "`refs.log` lists": ["test/place/in-place.test.ts#refs.log"],
  "`relais salvage list` shows them": ["test/commands/recover-kept.test.ts#the commands shown bring them back"],
  "A new repository at the same path": ["test/commands/limits.test.ts#a new repository at an old path"],
  "`relais loop --new`": [
    "test/workflows/around.test.ts#--new",
    "test/workflows/tree-series.test.ts#--new",
    "test/commands/campaign.test.ts#clean",
  ],
  "`relais doctor` shows": ["test/setup/doctor.test.ts", "test/commands/machine.test.ts"],
  "Its environment is reduced": ["test/system/child-environment.test.ts"],
  "The journal's chain of hashes": [`${A}/runner/journal-forged.sh`, `${A}/runner/store-with-a-program.sh`],
  "While relais runs": [
    `${A}/runner/state-directory-deleted.sh`,
    `${A}/runner/contents-damaged.sh`,
    `${A}/runner/contents-are-pipes.sh`,
    `${A}/runner/store-of-pipes.sh`,
  ],
  "If a builder deletes both": ["test/commands/limits.test.ts#deletes every record and kills relais"],
  "A running tick does not read": [
    "test/commands/start-up.test.ts#even if its builder writes others",
    "test/commands/compiled-code.test.ts#a builder cannot forge code",
  ],
  "On Linux it knows them": ["test/process/process-limits.test.ts#without any sign but the inherited limit"],
  "If it also hides its memory": [`${A}/processes/daemon-that-hides-below-its-limit.sh`],
  "SIGUSR1 opens no inspector": [`${A}/processes/inspector.mjs`],
  "SIGSTOP, or a limit": [
    "test/commands/limits.test.ts#a builder can halt relais",
    "test/commands/limits.test.ts#a limit that makes relais fail",
  ],
  "relais cannot tell your edit": ["test/faults/mid-tick.test.ts#judged and kept with the work"],
  "Remote-tracking refs": [`${A}/honest/fetching.sh`],
  "Later ticks read only": ["test/place/in-place.test.ts#reads only what changed"],
  "Then the tick ends with": [`${A}/files/immutable.sh`],
  "relais notices what a builder mounts": ["test/place/mounts-in-tree.test.ts"],
  "relais never unmounts": ["test/place/mounts-in-tree.test.ts#umount"],
  "Files go to salvage": ["test/commands/recover-kept.test.ts#is in salvage"],
  "Ignored files that were created": ["test/commands/recover-kept.test.ts#ignored files are copied"],
  "They may hold secrets": ["test/commands/private-state.test.ts"],
  "So `relais recover` compares": ["test/commands/recover-forged.test.ts", "test/commands/recover-asks.test.ts"],
  "`git status` shows it, unless git ignores it": ["test/commands/recover-limits.test.ts#stays as the builder left it"],
  "`git log` shows that commit": ["test/commands/recover-limits.test.ts#that the builder commits"],
  "`rescued` keeps them": ["test/commands/recover-limits.test.ts#a loose object"],
  "A file that the merge writes": ["test/place/overlay-limits.test.ts#extended attributes"],
  "In every other case the tick ends": ["test/faults/mid-tick.test.ts#what the tick changes: the edit stays"],
  "`relais recover` asks as in place": ["test/commands/recover-merge.test.ts"],
  "No evidence lists that edit": ["test/place/overlay-limits.test.ts#a program that ran before writes"],
  "`git status` shows it, and so": ["test/scenarios/preflight.ts#BLOCKED_DIRTY_WORKTREE"],
  "relais takes another place": ["test/place/overlay-limits.test.ts#something mounted"],
  "Nothing prevents or reverts": ["test/place/overlay-limits.test.ts#can be reached by its path"],
  "A note of the report names": ["test/place/clone-original.test.ts#edits of the original are listed"],
};

/** What claims nothing: advice, and words that lead to other sentences or pages. */
const NO_CLAIM: readonly string[] = [
  "This page lists the limits",
  "[checks.md]",
  "Read the change before",
  "No check and no rule knows",
  "Nothing prevents it from",
  "[What the sandbox does not do]",
  "If you do not trust a builder",
  "Without a sandbox a process escapes",
  "What git cannot prove remains",
  "With or without a sandbox",
  "Without a sandbox, also",
];

/** What no test shows, and why. */
const UNTESTED: Readonly<Record<string, string>> = {
  "Ignored files that an earlier tick changed": "it follows from the comparison with the beginning of the tick",
  "relais does not follow what such": "an attack would show one call of many",
  "Removing the files takes": "a time",
  "This is a fence": "no test shows that a wall is missing",
  "Windows is not supported": "there is no Windows here",
  "where there is no `prlimit`":
    "tried by hand on Linux, with an overlay that hides it: it escaped three times of three",
  "Not tried: root with": "it says so",
  "If the mount hides the workspace": "the mounts of the tests hide other folders",
  "A mount that replaces another one": "nothing would tell the two apart for the test either",
  "Later edits, by a process": "it follows from the moment of the comparison",
};

/** Sentences, each as one line. A part behind a colon or a semicolon belongs to its sentence, unless it begins anew. */
function listSentences(page: string): readonly string[] {
  const blocks = page
    .split(/\n(?:\n+|(?=- ))/u)
    .map((block) => block.replace(/^- /u, "").replaceAll(/\s+/gu, " ").trim())
    .filter((block) => block !== "" && !block.startsWith("#"));
  return blocks.flatMap((block) => block.split(/(?<=[.;:]) (?=[A-Z`[]|relais )/u));
}

test("every sentence about a limit has an attack, a test or a reason, and each of these a sentence", () => {
  const sentences = listSentences(readFileSync("docs/limits.md", "utf8"));
  const beginnings = [...Object.keys(SHOWN_BY), ...NO_CLAIM, ...Object.keys(UNTESTED)];
  expect(sentences.filter((text) => !beginnings.some((words) => text.startsWith(words)))).toEqual([]);
  expect(beginnings.filter((words) => !sentences.some((text) => text.startsWith(words)))).toEqual([]);
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
