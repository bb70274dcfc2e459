/** What builders and checks do with git, and what they find there. */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";

const DONE = ["src/main.ts"];
const EDIT = "echo 'export const answer = 42;' > src/main.ts\n";
/** A builder that stages its work. */
const STAGING = `${EDIT}git add src/main.ts\n${LEAVE_RESULT}`;
const check = (script: string) => ({
  config: { verification: { templates: [{ id: "look", cmd: "sh", args: ["-ec", script] }] } },
  task: { verification: { fast: ["look"], slow: [] } },
});
/** The index of git notes another time, so that a look at the file makes it worth writing anew. */
const touch = ({ root }: World): void => utimesSync(join(root, "README.md"), 1, 1);

export const GIT_DATA: readonly Scenario[] = [
  {
    shows: "a check finds the index of the person and not what the builder staged",
    program: STAGING,
    ...check('test -z "$(git diff --cached --name-only)"; test "$(git diff --name-only)" = src/main.ts'),
    ends: { code: "SUCCESS", changed: DONE },
  },
  {
    shows: "what a builder staged is not in the way of a commit",
    program: STAGING,
    config: { git: { commit: "always" } },
    ends: { code: "SUCCESS", changed: DONE, movesGit: true },
  },
  {
    shows: "a check that looks at the repository may note times in the index, which is put back",
    before: touch,
    ...check("cp .git/index ../before; env -u GIT_OPTIONAL_LOCKS git status; ! cmp .git/index ../before; rm ../before"),
    ends: { code: "SUCCESS", changed: DONE },
  },
  ...[
    ["stages the change", "git add src/main.ts"],
    [
      "stages something else and takes it back in the file",
      "echo x >> README.md; git add README.md; git cat-file -p HEAD:README.md > README.md",
    ],
    ["hides a file from git", "git update-index --skip-worktree README.md"],
    ["announces a file", ": > dist/new.js; git add -f --intent-to-add dist/new.js; rm dist/new.js"],
  ].map(([shows = "", script = ""]): Scenario => ({
    shows: `a check that ${shows}`,
    ...check(script),
    ends: { code: "STOP_VERIFY_SIDE_EFFECTS" },
  })),
  {
    shows: "a builder may stage a file that git keeps in a pack of its own",
    program: `${EDIT}head -c 5000 /dev/zero | tr '\\0' x > src/large.txt\ngit add src\nls .git/objects/pack/*.pack\n${LEAVE_RESULT}`,
    before: ({ git }) => void git("config", "core.bigFileThreshold", "1k"),
    task: { scope: { allow_new_files: true } },
    ends: { code: "SUCCESS", changed: ["src/large.txt", ...DONE] },
  },
  {
    shows: "git in a session repacks nothing behind its back and takes no lock for a look",
    program: `set -e\ntest "$(git config gc.auto)" = 0\ntest "$(git config maintenance.auto)" = false\ntest "$GIT_OPTIONAL_LOCKS" = 0\n${EDIT}${LEAVE_RESULT}`,
    ends: { code: "SUCCESS", changed: DONE },
  },
];
