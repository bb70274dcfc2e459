/** What is committed, where, and who may refuse it. */
import { expect } from "vitest";
import { untilAsked } from "../support/held-world.ts";
import type { Scenario } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";

const write = (path: string, text: string) => ({ do: "write", path, text }) as const;
const COMMIT = { git: { commit: "always" } } as const;
const HOOKS = { git: { commit: "always", hooks: "run" } } as const;
const DONE = ["src/main.ts"];
const COMMITTED = { code: "SUCCESS", changed: DONE, movesGit: true } as const;
/** Nothing but the paths of the change is in the commit, and nothing is left to commit. */
function expectCommit({ git }: World, paths: readonly string[] = DONE): void {
  expect(git("show", "--format=", "--name-only", "HEAD").split("\n")).toEqual(paths);
  expect(git("status", "--porcelain")).toBe("");
  expect(git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
}
const hook = (body: string) => {
  return ({ put }: World) => put({ ".git/hooks/pre-commit": `#!/bin/sh\n${body}\n` });
};
const unnamed = {
  GIT_AUTHOR_NAME: undefined,
  GIT_AUTHOR_EMAIL: undefined,
  GIT_COMMITTER_NAME: undefined,
  GIT_COMMITTER_EMAIL: undefined,
  EMAIL: undefined,
} as const;
const forgetName = ({ git }: World): void => {
  git("config", "--unset", "user.name");
  git("config", "--unset", "user.email");
};
const blob = ({ git, root }: World, path: string): string => git("-C", root, "cat-file", "blob", `HEAD:${path}`);

/** Rejects the change as soon as it waits. */
const rejectLater = (world: World): void => {
  void untilAsked(world).then((runId) => world.relais(["reject", runId, "--reason", "Keep the old answer."]));
};

export const SETTLE: readonly Scenario[] = [
  {
    shows: "a change that nobody decides about is reverted after its time",
    keys: ["settle"],
    config: { settle: "ask", ask_timeout_seconds: 0.2 },
    ends: {
      code: "STOP_UNDECIDED",
      cause: null,
      says: /Commit this change\?/,
      report: { settle: { action: "rollback" } },
    },
  },
  {
    shows: "a rejected change is reverted, and its report has the reason",
    keys: ["settle"],
    config: { settle: "ask" },
    before: rejectLater,
    ends: { code: "STOP_REJECTED", message: /^Keep the old answer\.$/, says: /Commit this change\?/ },
  },
  {
    shows: "a commit holds the base and the change, with the run, the task and the code in its message",
    keys: ["git.commit"],
    config: COMMIT,
    steps: [GOOD_EDIT, write("trace.log", "never in a commit\n"), write("dist/app.js", "nor this\n")],
    ends: {
      ...COMMITTED,
      changed: ["dist/app.js", "src/main.ts", "trace.log"],
      report: { settle: { action: "commit", branch: "work" } },
      after: (world, { report }) => {
        expectCommit(world);
        expect(world.git("rev-parse", "HEAD")).toBe(report?.settle?.commit);
        expect(world.git("rev-parse", "HEAD^")).toBe(report?.base_commit);
        const message = world.git("log", "-1", "--format=%an <%ae>%n%B");
        expect(message).toMatch(/^Ada <ada@example\.org>\n/);
        expect(message).toMatch(new RegExp(`^Relais-Run: ${report?.run_id}$`, "m"));
        expect(message).toMatch(/^Relais-Task: T-1\nRelais-Code: SUCCESS$/m);
      },
    },
  },
  {
    shows: "new, deleted, renamed and executable files are committed as they are",
    config: COMMIT,
    task: { scope: { allow_new_files: true }, verification: { fast: ["green"], slow: [] } },
    steps: [
      { do: "rename", path: "src/other.ts", to: "src/moved.ts" },
      { do: "delete", path: "src/main.ts" },
      write("src/run.sh", "#!/bin/sh\n"),
      { do: "chmod", path: "src/run.sh", mode: "0755" },
    ],
    ends: {
      ...COMMITTED,
      changed: ["src/main.ts", "src/moved.ts", "src/other.ts", "src/run.sh"],
      after: ({ git }) => {
        expect(git("ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD", "src").split("\n")).toEqual([
          "100644 src/moved.ts",
          "100755 src/run.sh",
        ]);
      },
    },
  },
  {
    shows: "a change of nothing is no commit",
    config: COMMIT,
    steps: [],
    task: { verification: { fast: ["green"], slow: [] }, allow_no_change: true },
    ends: { code: "SUCCESS", report: { settle: { action: "commit", commit: null } } },
  },
  {
    shows: "a protected branch stays where it is, and the commit gets a branch of its own",
    config: COMMIT,
    before: ({ git }) => void git("branch", "-qm", "main"),
    ends: {
      ...COMMITTED,
      after: (world, { report }) => {
        expectCommit(world);
        expect(world.git("symbolic-ref", "HEAD")).toBe(`refs/heads/${report?.settle?.branch}`);
        expect(world.git("rev-parse", "main")).toBe(report?.base_commit);
        expect(report?.settle?.branch).toMatch(/^relais\/[a-z0-9-]+-[0-9a-f]{4}$/);
      },
    },
  },
  {
    shows: "which branches are protected, and how the others are named, is configured",
    keys: ["git.protected_branches", "git.branch_prefix"],
    config: { git: { commit: "always", protected_branches: ["work"], branch_prefix: "robots/" } },
    ends: {
      ...COMMITTED,
      after: ({ git }) => expect(git("symbolic-ref", "HEAD")).toMatch(/^refs\/heads\/robots\//),
    },
  },
  {
    shows: "a branch that is another name for a protected one is protected as well",
    config: { git: { commit: "always", protected_branches: ["kept"], branch_prefix: "robots/" } },
    before: ({ git }) => {
      git("branch", "kept");
      git("symbolic-ref", "refs/heads/alias", "refs/heads/kept");
      git("symbolic-ref", "HEAD", "refs/heads/alias");
    },
    ends: {
      ...COMMITTED,
      after: ({ git }) => {
        expect(git("symbolic-ref", "HEAD")).toMatch(/^refs\/heads\/robots\//);
        expect(git("rev-parse", "kept")).toBe(git("rev-parse", "HEAD^"));
      },
    },
  },
  {
    shows: "hooks are not run by default",
    config: COMMIT,
    before: hook('touch "$HOME/ran"; exit 1'),
    ends: { ...COMMITTED, after: (world) => expectCommit(world) },
  },
  {
    shows: "a hook that agrees",
    config: HOOKS,
    before: hook("git diff --cached --name-only | grep -qx src/main.ts"),
    ends: { ...COMMITTED, after: (world) => expectCommit(world) },
  },
  {
    shows: "a hook that refuses",
    keys: ["git.hooks"],
    config: HOOKS,
    before: hook("echo not like this; exit 1"),
    ends: { code: "STOP_INTERRUPTED", cause: "hook_pre-commit_failed", message: /not like this/ },
  },
  {
    shows: "a hook that edits the file under judgement",
    config: HOOKS,
    before: hook("echo 43 >> src/main.ts; git add src/main.ts"),
    ends: { code: "STOP_INTERRUPTED", cause: "hook_pre-commit_changed_files" },
  },
  {
    shows: "a hook that edits another file",
    config: HOOKS,
    before: hook("echo cheat >> src/other.ts; git add -A"),
    ends: {
      code: "STOP_INTERRUPTED",
      cause: "measurement_failed",
      message: /it changed after the judgement: src\/other/,
    },
  },
  {
    shows: "a hook that refuses on a protected branch leaves no branch behind",
    config: { git: { ...HOOKS.git, protected_branches: ["work"] } },
    before: hook("exit 1"),
    ends: { code: "STOP_INTERRUPTED", cause: "hook_pre-commit_failed" },
  },
  {
    shows: "a hook that the builder planted is not run",
    config: HOOKS,
    steps: [GOOD_EDIT, write(".git/hooks/pre-commit", '#!/bin/sh\ntouch "$HOME/ran"\n')],
    ends: { code: "STOP_GIT_METADATA_MUTATION" },
  },
  {
    shows: "nobody is asked for a signature",
    config: COMMIT,
    before: ({ git }) => {
      git("config", "commit.gpgSign", "true");
      git("config", "gpg.program", "false");
    },
    ends: { ...COMMITTED, after: (world) => expectCommit(world) },
  },
  {
    shows: "without a name for the user the commit carries the runner's own",
    config: COMMIT,
    env: unnamed,
    before: forgetName,
    ends: {
      ...COMMITTED,
      after: ({ git }) => expect(git("log", "-1", "--format=%an <%ae>")).toBe("relais <relais@localhost>"),
    },
  },
  {
    shows: "a commit goes through the filters of the repository",
    kind: "filter",
    config: { git: { commit: "always", protected_branches: [] } },
    steps: [GOOD_EDIT, write("src/data.dat", "plain: two\n")],
    ends: {
      ...COMMITTED,
      changed: ["src/data.dat", "src/main.ts"],
      after: (world) => {
        expect(blob(world, "src/data.dat")).toBe("stored: two");
        expectCommit(world, ["src/data.dat", "src/main.ts"]);
      },
    },
  },
  {
    shows: "a commit converts line ends as the repository asks for",
    kind: "crlf",
    config: { git: { commit: "always", protected_branches: [] } },
    steps: [write("src/main.ts", "42\r\n")],
    ends: {
      ...COMMITTED,
      after: (world) => {
        expect(blob(world, "src/main.ts")).toBe("42");
        expect(world.git("cat-file", "-s", "HEAD:src/main.ts")).toBe("3");
        expectCommit(world);
      },
    },
  },
  ...(["autocrlf", "linked-worktree", "git-file", "submodule", "sparse"] as const).map((kind): Scenario => ({
    shows: `a commit in a repository of the kind ${kind}`,
    kind,
    config: { git: { commit: "always", protected_branches: [] } },
    ends: { ...COMMITTED, after: (world) => expectCommit(world) },
  })),
];
