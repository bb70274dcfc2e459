/** The configuration and the task of a case, as a person would write them for relais. */
import { join } from "node:path";
import * as v from "valibot";
import { VerificationSection } from "../../src/config/verification.ts";
import { Task } from "../../src/records/task.ts";
import { type Base, HELD_OUT, type LabelledCase } from "./labelled-case.ts";

interface DocumentRequest {
  readonly root: string;
  readonly base: Base;
  readonly labelled: LabelledCase;
  /** Of the policy, laid over the section `verification`. */
  readonly verification: Readonly<Record<string, unknown>>;
}

const SECONDS = 90;

/** What relais init would write, with the builder that writes the change. */
export function makeConfig({ root, base, labelled, verification }: DocumentRequest): string {
  const builder = join(root, "lab/judgement/builder.mjs");
  const section = {
    templates: labelled.checks ?? base.checks,
    setup: (base.setup ?? []).map(([cmd, ...args]) => ({ cmd, args })),
    ...labelled.verification,
    ...verification,
  };
  v.assert(VerificationSection, section);
  return `${JSON.stringify(
    {
      builder: {
        default_mode: "command",
        command: { command: process.execPath, args: [builder, labelled.file], timeout_seconds: SECONDS },
      },
      // A task sets less, but for the large changes that it asks for.
      diff_limits: { default_max_files_touched: 40, default_max_lines_changed: 5000 },
      scope: { default_allowed_globs: base.allow },
      verification: section,
    },
    null,
    2,
  )}\n`;
}

/** `verification.held_out` of a case, from the box around the tree: its file is in the tree only while the check runs. */
export function nameHeldOut(box: string): Readonly<Record<string, unknown>> {
  const files = { [HELD_OUT]: join(box, HELD_OUT) };
  return { held_out: [{ id: "held-out", cmd: process.execPath, args: [HELD_OUT], files }] };
}

export function makeTask({ base, labelled }: Pick<DocumentRequest, "base" | "labelled">): string {
  const { intent, allow = base.allow, new_files = true, lockfile = false, fields = {} } = labelled.task;
  const task = {
    task_id: "T-1",
    milestone_id: "M-1",
    task_kind: "execute",
    intent,
    scope: {
      allowed_globs: allow,
      forbidden_globs: [],
      allow_new_files: new_files,
      allow_lockfile_changes: lockfile,
    },
    diff_limits: { max_files_touched: 12, max_lines_changed: 400 },
    verification: { fast: (labelled.checks ?? base.checks).map(({ id }) => id), slow: [] },
    builder: { mode: "command", max_turns: 1, instructions: intent },
  };
  const whole = { ...task, ...fields };
  v.assert(Task, whole);
  return JSON.stringify(whole);
}
