import fc from "fast-check";
import { expect, test } from "vitest";
import { combineRules } from "../../../src/judge/pure/combine-rules.ts";

const settings = {
  workspace_dir: "relais",
  runner: { runner_owned_globs: ["relais/STATE.json"] },
  scope: {
    default_allowed_globs: ["src/**"],
    default_forbidden_globs: ["**/.env*", "relais/**"],
    default_allow_new_files: false,
    default_allow_lockfile_changes: true,
    lockfiles: ["yarn.lock"],
  },
  diff_limits: { default_max_files_touched: 12, default_max_lines_changed: 400 },
  ignored: "report" as const,
  ignored_writable_globs: ["dist/**"],
};

const task = {
  task_kind: "execute" as const,
  scope: {
    allowed_globs: ["docs/**"],
    forbidden_globs: ["docs/api/**", "**/.env*"],
    allow_new_files: true,
    allow_lockfile_changes: false,
  },
  diff_limits: { max_files_touched: 3, max_lines_changed: 9000 },
};

test("without a task the defaults of the configuration stand", () => {
  expect(combineRules(settings, null)).toEqual({
    task_kind: null,
    allowed_globs: ["src/**"],
    forbidden_globs: ["**/.env*", "relais/**"],
    runner_owned_globs: ["relais/**", "relais.config.json", "relais/STATE.json"],
    allow_new_files: false,
    allow_lockfile_changes: true,
    lockfiles: ["yarn.lock"],
    max_files_touched: 12,
    max_lines_changed: 400,
    ignored: "report",
    ignored_writable_globs: ["dist/**"],
  });
});

test("a task takes the place of the defaults and narrows the rest", () => {
  expect(combineRules(settings, task)).toMatchObject({
    task_kind: "execute",
    allowed_globs: ["docs/**"],
    forbidden_globs: ["**/.env*", "relais/**", "docs/api/**"],
    allow_new_files: true,
    allow_lockfile_changes: false,
    max_files_touched: 3,
    max_lines_changed: 400,
  });
});

test.each(["area", "./area", "area/", ".//area//"])("the workspace %s belongs to the runner", (workspace_dir) => {
  const { runner_owned_globs } = combineRules({ ...settings, workspace_dir }, null);
  expect(runner_owned_globs).toEqual(["area/**", "relais.config.json", "relais/STATE.json"]);
});

test("no task can lift a forbidden glob or a cap", () => {
  const globs = fc.array(fc.constantFrom("a", "b", "c", "d"));
  const cap = fc.option(fc.nat({ max: 20 }), { nil: null });
  fc.assert(
    fc.property(fc.tuple(globs, globs), fc.tuple(cap, cap), ([configured, wanted], [ceiling, asked]) => {
      const rules = combineRules(
        {
          ...settings,
          scope: { ...settings.scope, default_forbidden_globs: configured },
          diff_limits: { default_max_files_touched: ceiling, default_max_lines_changed: ceiling },
        },
        {
          ...task,
          scope: { ...task.scope, forbidden_globs: wanted },
          diff_limits: { max_files_touched: asked, max_lines_changed: asked },
        },
      );
      expect(new Set(rules.forbidden_globs)).toEqual(new Set([...configured, ...wanted]));
      const smallest = Math.min(ceiling ?? Infinity, asked ?? Infinity);
      expect(rules.max_files_touched ?? Infinity).toBe(smallest);
      expect(rules.max_lines_changed ?? Infinity).toBe(smallest);
    }),
  );
});
