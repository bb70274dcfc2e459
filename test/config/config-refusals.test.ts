/** Configurations that are refused, with every sentence. */
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";

function problems(document: unknown): readonly string[] {
  const parsed = parseConfig(document);
  return parsed.kind === "valid" ? [] : parsed.problems.map(({ message }) => message);
}

const OUTSIDE = "it must stay inside the repository: no leading `/`, no `..`, no NUL";
const WORKSPACE = "the workspace is a folder below the root, like `relais` or `tools/relais`";
const refusals: readonly (readonly [unknown, readonly string[]])[] = [
  [
    // More than a campaign can record.
    { campaign: { max_iterations: 10_001 } },
    ["`campaign.max_iterations` is the number 10001, expected at most 10000"],
  ],
  [
    { runner: { require_git: false } },
    [
      "`runner.require_git` is false, expected true: relais judges what git shows, so there is no way to work without git",
    ],
  ],
  [
    { claude_code_cli: { output_format: "text" } },
    [
      '`claude_code_cli.output_format` is the text "text", expected "stream-json" or "json": relais reads a JSON object, alone or at the end of a stream of them',
    ],
  ],
  [
    { verification: { execution_mode: "shell" } },
    [
      '`verification.execution_mode` is the text "shell", expected "argv_no_shell": checks are started from a list of arguments; a shell is never used',
    ],
  ],
  [
    {
      tree: {
        scope: { forbidden_globs: Array.from({ length: 33 }, (_, n) => `${n}/**`) },
        diff_limits: { max_files_touched: 501 },
      },
    },
    [
      "`tree.scope.forbidden_globs` is a list of 33 entries, expected at most 32 entries",
      "`tree.diff_limits.max_files_touched` is the number 501, expected at most 500",
    ],
  ],
  [
    { version: "2.0" },
    ['`version` is the text "2.0", expected "1.0": this relais reads configurations of version 1.0'],
  ],
  [
    { builder: { default_mode: "command" } },
    ['`builder.default_mode` is the text "command": set `builder.command` to the program to start'],
  ],
  [
    { builder: { command: { command: "x" }, cursor: { command: "x" } } },
    [
      "`builder.cursor` is an object: `builder.command` and `builder.cursor` are two names of one key: remove `builder.cursor`",
    ],
  ],
  [
    { orchestrator: { command: { command: "x" }, cursor: { command: "y" } } },
    [
      "`orchestrator.cursor` is an object: `orchestrator.command` and `orchestrator.cursor` are two names of one key: remove `orchestrator.cursor`",
    ],
  ],
  [{ builder: { cursor: {} } }, ["`builder.cursor.command` is missing, expected a text"]],
  [
    { builder: { default_mode: "patch", allow_patch_mode: false } },
    ['`builder.default_mode` is the text "patch": default_mode "patch" contradicts `builder.allow_patch_mode` false'],
  ],
  [{ builder: { command: {} } }, ["`builder.command.command` is missing, expected a text"]],
  [
    { orchestrator: { max_parse_retries_per_tick: 2 } },
    [
      "`orchestrator.max_parse_retries_per_tick` is the number 2, expected at most 1: a tick is finite: one more attempt is the most",
    ],
  ],
  [
    { verification: { reject_metachars_regex: "[a" } },
    ['`verification.reject_metachars_regex` is the text "[a": it does not compile as a regular expression'],
  ],
  [
    { verification: { templates: [{ id: "a", cmd: "x", args: ["{{pkg}}"] }] } },
    ["`verification.templates[0]` is an object: {{pkg}} is used in args but not declared in params"],
  ],
  [
    { verification: { templates: [{ id: "a", cmd: "x", params: { pkg: { kind: "path" } } }] } },
    ["`verification.templates[0]` is an object: the parameter pkg is declared but {{pkg}} is not in args"],
  ],
  [
    { verification: { templates: [1, 2].map(() => ({ id: "a", cmd: "x" })) } },
    ["`verification.templates` is a list of 2 entries: two templates have the same id"],
  ],
  [
    { scope: { allowed_globs: ["src/**"] } },
    ["unknown key `scope.allowed_globs`, did you mean `default_allowed_globs`?"],
  ],
  [
    { sope: {}, modles: {} },
    ["unknown key `sope`, did you mean `scope`?", "unknown key `modles`, did you mean `models`?"],
  ],
  [{ notify: { zzz: 1 } }, ["unknown key `notify.zzz`, expected `command`"]],
  [{ runner: [] }, ["`runner` is a list, expected an object"]],
  [{ runner: null }, ["`runner` is null, expected an object"]],
  [[], ["the document is a list, expected an object"]],
  [{ runner: { lockfile: "/tmp/lock" } }, [`\`runner.lockfile\` is the text "/tmp/lock": ${OUTSIDE}`]],
  ...["", ".", "..", "/relais", "a/../b", ".git", "x/.GIT/y", "a b", "relais/"].map(
    (dir): readonly [unknown, readonly string[]] => [
      { workspace_dir: dir },
      [`\`workspace_dir\` is the text "${dir}": ${WORKSPACE}`],
    ],
  ),
  [
    { goal: { review_quorum: 4 } },
    ["`goal.review_quorum` is the number 4: a quorum cannot be larger than the number of reviewers"],
  ],
  [
    { goal: { max_turns: 3, blocker_threshold: 4 } },
    ["`goal.blocker_threshold` is the number 4: a threshold above goal.max_turns could never be reached"],
  ],
  [
    { goal: { diff_limits: { max_files_touched: 501 } } },
    ["`goal.diff_limits.max_files_touched` is the number 501, expected at most 500"],
  ],
  [{ goal: { blocker_threshold: 1 } }, ["`goal.blocker_threshold` is the number 1, expected at least 2"]],
  [
    { review: { reviewers: ["risk"], quorum: 2 } },
    ["`review.quorum` is the number 2: a quorum cannot be larger than the number of reviewers"],
  ],
  [{ notify: { command: [] } }, ["`notify.command` is a list of 0 entries, expected at least 1 entry"]],
  [{ notify: { command: "say" } }, ['`notify.command` is the text "say", expected a list or null']],
  [
    { ignored: "warn", isolation: "worktree" },
    [
      '`ignored` is the text "warn", expected one of "report", "forbid", "allow"',
      '`isolation` is the text "worktree", expected one of "auto", "in_place", "overlay", "clone"',
    ],
  ],
  [
    { git: { branch_prefix: "-x" } },
    ['`git.branch_prefix` is the text "-x": git does not accept it in the name of a branch'],
  ],
];

test.each(refusals)("%j is refused", (document, messages) => {
  expect(problems(document)).toEqual(messages);
});
