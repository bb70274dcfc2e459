/**
 * The checks that the runner performs, as lists of arguments. Templates are checked when the configuration is read: a
 * placeholder without a parameter, or a parameter without a placeholder, would otherwise fail in the middle of a paid
 * tick.
 */
import * as v from "valibot";
import { RuleSettings } from "../base/check-rules.ts";
import { Argument, Program, Seconds, VariableName } from "../base/quantity.ts";
import { Glob, RepositoryPath } from "../base/repository-path.ts";
import { key, openKey } from "./key.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

const Template = v.pipe(
  v.strictObject({
    id: v.pipe(v.string(), v.minLength(1), v.maxLength(64), v.description("The name that tasks use.")),
    cmd: v.pipe(Program, v.description("The program, without a placeholder.")),
    args: key(v.pipe(v.array(Argument), v.maxLength(40)), "Its arguments, with `{{name}}` for a parameter.", []),
    network: v.exactOptional(v.pipe(v.boolean(), v.description("Whether it may use the network in the sandbox."))),
    once: v.exactOptional(
      v.pipe(
        v.boolean(),
        v.description("Run it only on the finished change: not before the build, and not again with the old tests."),
      ),
    ),
    params: v.exactOptional(
      v.pipe(
        v.record(VariableName, v.strictObject({ kind: v.picklist(["string_token", "path", "int"]) })),
        v.description("The parameters that a task fills in, each with its kind. No value may begin with a dash."),
      ),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { args, params = {} } = dataset.value;
    const used = new Set(args.flatMap((arg) => [...arg.matchAll(PLACEHOLDER)].map((match) => match[1] ?? "")));
    for (const name of used)
      if (!Object.hasOwn(params, name)) addIssue({ message: `{{${name}}} is used in args but not declared in params` });
    for (const name of Object.keys(params))
      if (!used.has(name)) addIssue({ message: `the parameter ${name} is declared but {{${name}}} is not in args` });
  }),
);

const HeldOutCheck = v.strictObject({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(64), v.description("The name in reports.")),
  cmd: v.pipe(Program, v.description("The program.")),
  args: key(v.pipe(v.array(Argument), v.maxLength(40)), "Its arguments.", []),
  files: key(
    v.record(RepositoryPath, v.pipe(v.string(), v.minLength(1), v.maxLength(4000))),
    "Files and folders that are there only while it runs: a path in the repository, and its source outside.",
    {},
  ),
  network: v.exactOptional(v.pipe(v.boolean(), v.description("Whether it may use the network in the sandbox."))),
});

const METACHARS = "[;&|$\\\\><(){}\\[\\]`\\n\\r\\t\\0]";

function compiles(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Tests and their fixtures, by their usual names. */
export const TEST_GLOBS: readonly string[] = [
  "**/test/**",
  "**/tests/**",
  "**/__tests__/**",
  "**/*.test.*",
  "**/*.spec.*",
  "**/*_test.*",
  "**/test_*.py",
  "**/tests.py",
  "**/spec/**",
  "**/*_spec.*",
  "**/*.bats",
  "**/*{Test,Tests}.{java,kt,cs,php,swift,scala}",
  "**/*.{snap,golden,feature}",
  "**/{__snapshots__,__mocks__,__fixtures__,fixtures,testdata}/**",
];

export const VerificationSection = v.strictObject({
  execution_mode: key(
    v.literal("argv_no_shell", "checks are started from a list of arguments; a shell is never used"),
    "Checks start from a list of arguments, never through a shell.",
    "argv_no_shell",
  ),
  max_param_len: key(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4000)),
    "Most characters of a parameter value.",
    128,
  ),
  reject_whitespace_in_params: key(v.boolean(), "Refuse white space in a parameter value.", true),
  reject_dotdot: key(v.boolean(), "Refuse `..` in a parameter value.", true),
  reject_metachars_regex: key(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(400),
      v.check(compiles, "it does not compile as a regular expression"),
      v.metadata({ format: "regex" }),
    ),
    "A parameter value must not match this regular expression.",
    METACHARS,
  ),
  timeout_fast_seconds: key(Seconds, "Time limit of a fast check.", 90),
  timeout_slow_seconds: key(Seconds, "Time limit of a slow check.", 600),
  templates: key(
    v.pipe(
      v.array(Template),
      v.maxLength(200),
      v.check(
        (templates) => new Set(templates.map(({ id }) => id)).size === templates.length,
        "two templates have the same id",
      ),
    ),
    "The checks, by `id`, with `cmd`, `args`, `params`, `network` and `once`.",
    [
      { id: "lint", cmd: "pnpm", args: ["-w", "lint"] },
      { id: "typecheck", cmd: "pnpm", args: ["-w", "typecheck"] },
      { id: "test", cmd: "pnpm", args: ["-w", "test"] },
      {
        id: "test_filter",
        cmd: "pnpm",
        args: ["-w", "test", "--filter", "{{pkg}}"],
        params: { pkg: { kind: "string_token" } },
      },
    ],
  ),
  required: openKey(
    v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(64))), v.maxLength(16)),
    "Checks, by `id`, that no plan, goal, tree or campaign leaves out; none may need parameters. Without this key, none are required.",
  ),
  scratch_globs: key(v.array(Glob), "Paths that a check may write. Any other change by a check stops the tick.", []),
  oracle_globs: key(v.array(Glob), "The tests that judge the work, by their usual names.", [...TEST_GLOBS]),
  oracle: key(
    v.picklist(["pinned", "frozen", "note", "off"]),
    "A change to tests or to files that steer a check: the old ones must pass, too (`pinned`), it stops the tick (`frozen`), is noted, or means nothing (`off`).",
    "pinned",
  ),
  rules: key(
    RuleSettings,
    "What happens if a change weakens the checks, by rule of text: `stop`, `hold` for a person, `note` or `off`. By default each rule decides by what it finds. What is measured always stops.",
    {},
  ),
  baseline: key(
    v.picklist(["auto", "always", "off"]),
    "Run the checks before the builder starts, once for each commit. `auto`: where they take no longer than `baseline_max_seconds`.",
    "auto",
  ),
  baseline_max_seconds: key(
    Seconds,
    "The most time for all checks before the builder starts, with `baseline: auto`.",
    120,
  ),
  inherited: key(
    v.picklist(["refuse", "compare"]),
    "What a check means that already fails before the build: no tick starts (`refuse`), or the work must not make it worse (`compare`).",
    "refuse",
  ),
  setup: key(
    v.pipe(
      v.array(
        v.strictObject({
          cmd: v.pipe(Program, v.description("The program.")),
          args: key(v.pipe(v.array(Argument), v.maxLength(40)), "Its arguments.", []),
          network: v.exactOptional(
            v.pipe(v.boolean(), v.description("Whether it may use the network in the sandbox.")),
          ),
        }),
      ),
      v.maxLength(10),
    ),
    "Commands before each run of the checks, such as a build. relais removes old build output (`ignored_writable_globs`) first.",
    [],
  ),
  held_out: key(
    v.pipe(
      v.array(HeldOutCheck),
      v.maxLength(20),
      v.check((checks) => new Set(checks.map(({ id }) => id)).size === checks.length, "two checks have the same id"),
    ),
    "Checks that no agent sees, with `id`, `cmd`, `args`, `files` and `network`. They run after all others have passed.",
    [],
  ),
  held_out_output: key(
    v.picklist(["person", "share"]),
    "Who reads the output of a held-out check: only a `person`, or agents too (`share`).",
    "person",
  ),
});

export const EnvironmentSection = v.strictObject({
  agents: key(
    v.pipe(v.array(VariableName), v.maxLength(100)),
    "More environment variables for agents, besides the built-in list.",
    [],
  ),
  checks: key(
    v.pipe(v.array(VariableName), v.maxLength(100)),
    "More environment variables for checks, besides the built-in list.",
    [],
  ),
});
