/**
 * The checks that the runner itself performs, as lists of arguments.
 *
 * A template is checked when the configuration is read: a placeholder without a parameter, or a parameter without a
 * placeholder, would otherwise be found in the middle of a tick that has been paid for.
 */
import * as v from "valibot";
import { Seconds } from "../quantity.ts";
import { Glob } from "../repository-path.ts";
import { Argument, Program, VariableName } from "./argv.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

const Template = v.pipe(
  v.strictObject({
    id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
    cmd: Program,
    args: v.exactOptional(v.pipe(v.array(Argument), v.maxLength(40)), []),
    params: v.exactOptional(
      v.record(VariableName, v.strictObject({ kind: v.picklist(["string_token", "path", "int"]) })),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { args, params = {} } = dataset.value;
    const used = new Set(
      args.flatMap((arg) => [...arg.matchAll(PLACEHOLDER)].map((match) => match[1] ?? "")),
    );
    for (const name of used)
      if (!Object.hasOwn(params, name))
        addIssue({ message: `{{${name}}} is used in args but not declared in params` });
    for (const name of Object.keys(params))
      if (!used.has(name))
        addIssue({ message: `the parameter ${name} is declared but {{${name}}} is not in args` });
  }),
);

const METACHARS = "[;&|$\\\\><(){}\\[\\]`\\n\\r\\t\\0]";

function compiles(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

export const Verification = v.strictObject({
  execution_mode: v.exactOptional(
    v.literal("argv_no_shell", "checks are started from a list of arguments; a shell is never used"),
    "argv_no_shell",
  ),
  max_param_len: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4000)), 128),
  reject_whitespace_in_params: v.exactOptional(v.boolean(), true),
  reject_dotdot: v.exactOptional(v.boolean(), true),
  reject_metachars_regex: v.exactOptional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(400),
      v.check(compiles, "it does not compile as a regular expression"),
      v.metadata({ format: "regex" }),
    ),
    METACHARS,
  ),
  timeout_fast_seconds: v.exactOptional(Seconds, 90),
  timeout_slow_seconds: v.exactOptional(Seconds, 600),
  templates: v.exactOptional(
    v.pipe(
      v.array(Template),
      v.maxLength(200),
      v.check(
        (templates) => new Set(templates.map(({ id }) => id)).size === templates.length,
        "two templates have the same id",
      ),
    ),
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
  /** Paths that a check may write without tainting what it verified. */
  scratch_globs: v.exactOptional(v.array(Glob), []),
  /** The tests themselves: what judges the work and should not be bent to fit it. */
  oracle_globs: v.exactOptional(v.array(Glob), [
    "**/test/**",
    "**/tests/**",
    "**/__tests__/**",
    "**/*.test.*",
    "**/*.spec.*",
    "**/*_test.*",
    "**/test_*.py",
  ]),
  oracle: v.exactOptional(v.picklist(["report", "forbid", "allow"]), "report"),
  /** Whether a failing check is run on the base too, so that a failure from before is not blamed on the task. */
  baseline: v.exactOptional(v.picklist(["off", "compare"]), "off"),
});

/** Variables passed on besides the small list that every process gets. */
export const Environment = v.strictObject({
  agents: v.exactOptional(v.pipe(v.array(VariableName), v.maxLength(100)), []),
  checks: v.exactOptional(v.pipe(v.array(VariableName), v.maxLength(100)), []),
});
