/**
 * What each command prints with `--json`.
 *
 * Objects are open: within a version keys may be added, so a reader must pass over unknown keys. What
 * is listed here is always there and keeps its type. Documents that have a schema of their own are referred to.
 */
import * as v from "valibot";
import { AnyCode, AnyVerdict } from "../src/base/any-code.ts";
import { JournalLine } from "../src/records/event.ts";
import { Rules } from "../src/records/evidence.ts";
import { GoalSummary } from "../src/records/goal.ts";
import { CommitId, RunId, SeriesId, Timestamp } from "../src/base/identifier.ts";
import { BlastRadius, JudgedCommit, Judgement } from "../src/records/judgement.ts";
import { KeptWork } from "../src/records/kept-work.ts";
import { Meta } from "../src/records/meta.ts";
import { Count, Dollars } from "../src/base/quantity.ts";
import { Report } from "../src/records/report.ts";
import { SeriesSummary } from "../src/records/series.ts";
import { Counters, WorkspaceState } from "../src/records/state.ts";
import { CAMPAIGN_OUTPUTS } from "./cli-output-campaign.ts";
import { DEMO_OUTPUTS } from "./cli-output-demo.ts";
import { DRILL_OUTPUTS } from "./cli-output-drill.ts";
import { LOOK_OUTPUTS } from "./cli-output-look.ts";
import { JobOutput, QUEUE_OUTPUTS } from "./cli-output-queue.ts";

const open = v.looseObject;
const Text = v.string();
const Texts = v.array(Text);
const maybe = v.nullable;
const Flag = v.boolean();

const Checked = open({ exit: Count, meaning: Text });
const Code = open({ verdict: AnyVerdict, exit: Count, meaning: Text, remedy: Text });
const Caps = open({ sessions: Count, seconds: Count, turns: maybe(Count), dollars: maybe(Dollars) });
const Refusal = open({ code: AnyCode, cause: maybe(Text), message: maybe(Text) });
const Past = open({
  run_id: RunId,
  started_at: maybe(Timestamp),
  ended_at: maybe(Timestamp),
  code: maybe(AnyCode),
  intent: maybe(Text),
  action: maybe(v.picklist(["accept", "commit", "rollback"])),
  commit: maybe(CommitId),
  branch: maybe(Text),
  undone: Flag,
  running: Flag,
});
const Leaf = open({ id: Text, title: Text, passes: Flag });
const Problem = open({ path: Text, message: Text });
const Decision = open({ run_id: RunId, decision: v.picklist(["accept", "reject", "edit"]), message: maybe(Text) });
/** A relais in another terminal. */
const Runner = open({ run_id: RunId, pid: Count, command: maybe(Text) });
const RuleRate = open({ strength: Text, rule: Text, kind: maybe(Text), changes: Count, alone: Count });
/** What a tick would do. */
const DryRun = open({
  would_start: Flag,
  refusal: maybe(Refusal),
  rules: Rules,
  checks: Texts,
  builder: Text,
  prompt: maybe(Text),
  caps: Caps,
});

/** By the name of the command; the last of them names a line where it prints many. */
export const CLI_OUTPUTS: Readonly<Record<string, readonly v.GenericSchema[]>> = {
  init: [
    open({
      root: Text,
      workspace: Text,
      found: Texts,
      templates: maybe(v.array(open({ id: Text, cmd: Text, args: Texts }))),
      allowed_globs: maybe(Texts),
      files: v.array(open({ path: Text })),
      commit: maybe(open({ kind: Text })),
      uncommitted: Texts,
      has_commit: Flag,
      missing_programs: Texts,
      languages: maybe(Texts),
      branch: maybe(Text),
      branch_protected: Flag,
      agents: v.array(open({ program: Text, file: maybe(Text) })),
    }),
    open({ verdict: v.literal("blocked"), code: AnyCode, message: Text, problems: Texts, written: Texts }),
  ],
  eject: [
    open({ path: Text, files: v.array(open({ path: Text, state: v.picklist(["written", "kept"]) })) }),
    open({ files: v.array(open({ name: Text, path: Text, ejected: Flag })) }),
  ],
  status: [
    open({
      repository: Text,
      branch: maybe(Text),
      config: open({ state: v.picklist(["usable", "missing", "unusable"]), problems: Texts }),
      running: maybe(
        open({
          run_id: RunId,
          pid: Count,
          seconds_ago: Count,
          waits_until: maybe(Timestamp),
          asks_until: maybe(Timestamp),
          is_pausing: Flag,
        }),
      ),
      unfinished: maybe(open({ run_id: RunId, phase: Text, seconds_ago: Count })),
      not_put_back: maybe(open({ run_id: RunId, seconds_ago: Count, differences: Texts })),
      damaged_lock: maybe(open({ path: Text, reason: Text })),
      missing_lines: Count,
      lost_tick: maybe(open({ run_id: RunId, seconds_ago: Count })),
      last_tick: maybe(
        open({
          run_id: RunId,
          verdict: AnyVerdict,
          code: AnyCode,
          intent: maybe(Text),
          seconds_ago: Count,
          /** When the service that refused it will answer again. */
          retry_at: maybe(Timestamp),
          commit: maybe(CommitId),
          undone: Flag,
        }),
      ),
      /** Everything that waits for a person, the most urgent first, with the command that goes on with it. */
      waiting: v.array(
        open({
          kind: v.picklist(["tick", "question", "change", "held", "goal", "tree", "campaign", "salvage"]),
          run_id: v.exactOptional(RunId),
          what: Text,
          command: Text,
        }),
      ),
      open_series: v.array(
        open({
          series_id: SeriesId,
          command: Text,
          mode: maybe(Text),
          max_ticks: maybe(Count),
          end: maybe(Text),
          branch: maybe(Text),
        }),
      ),
      open_question: WorkspaceState.entries.open_question,
      accepted: maybe(open({ run_id: RunId, files: Count, new_files: Count })),
      budgets: maybe(open({ milestone_id: maybe(Text), used: Counters, caps: open({}), warn_at_fraction: Dollars })),
      plan_trouble: maybe(Text),
      /** The running jobs of all machines; null without a queue. */
      queue: maybe(open({ jobs: v.array(JobOutput), trouble: maybe(Text) })),
      preflight: maybe(open({ would_start: Flag, code: maybe(AnyCode), cause: maybe(Text), message: maybe(Text) })),
    }),
  ],
  /** `repairs` names the ticks that the last one mends, the first one first. */
  run: [
    Report,
    v.strictObject({ ...Report.entries, repairs: v.array(RunId) }),
    DryRun,
    open({
      would_start: Flag,
      refusal: maybe(Refusal),
      orchestrator: Text,
      builder: Text,
      prompt_bytes: v.record(v.string(), Count),
      caps: Caps,
    }),
  ],
  fix: [Report, DryRun],
  loop: [Report, SeriesSummary],
  tree: [
    Report,
    SeriesSummary,
    open({ files: v.array(open({})) }),
    open({ valid: Flag, path: Text, nodes: Count }),
    open({ valid: v.literal(false), path: Text, problems: v.array(Problem) }),
    open({ selected: maybe(Text), tree: open({ version: v.literal(1), root: Leaf }) }),
    open({ selected: maybe(Text), path: Texts, leaf: maybe(Leaf) }),
  ],
  goal: [Report, GoalSummary, open({ goal_id: SeriesId, branch: Text, commit: CommitId, text_path: Text })],
  campaign: CAMPAIGN_OUTPUTS,
  ...LOOK_OUTPUTS,
  ...QUEUE_OUTPUTS,
  accept: [
    Decision,
    open({ ...Report.entries, held: RunId }),
    open({
      run_id: RunId,
      commit: CommitId,
      branch: Text,
      files: Count,
      notes: Texts,
      problems: Texts,
    }),
  ],
  reject: [Decision],
  undo: [
    open({
      run_id: RunId,
      commit: maybe(CommitId),
      branch: maybe(Text),
      began_on: maybe(Text),
      paths: Texts,
      besides: Texts,
      not_back: Texts,
      problems: Texts,
    }),
  ],
  answer: [open({ run_id: RunId, question: Text, answer: maybe(Text), choice: maybe(Count), problems: Texts })],
  milestone: [
    open({ run_id: RunId, milestone_id: maybe(Text), closed: maybe(Text), spent: Counters, problems: Texts }),
  ],
  pause: [Runner],
  resume: [Runner],
  stop: [open({ ...Runner.entries, salvage: maybe(RunId) })],
  recover: [
    open({
      kind: v.picklist(["nothing", "abandoned", "recovered"]),
      run_id: maybe(RunId),
      report: maybe(Report),
      rescued: maybe(open({ folder: Text, kept: Count, total: Count })),
      mended_lines: Count,
      problems: Texts,
    }),
  ],
  salvage: [
    open({
      salvage: v.array(
        v.union([
          open({ run_id: RunId, kept_at: Timestamp, code: AnyCode, files: Count, left_out: Count }),
          open({ run_id: RunId, damaged: Text }),
        ]),
      ),
      rescued: open({
        objects: Text,
        commits: v.array(open({ at: Text, ref: Text, id: CommitId })),
        folders: Texts,
      }),
    }),
    open({ ...KeptWork.entries, patch_path: Text, patch: maybe(Text) }),
    open({ run_id: RunId, paths: Texts, left_out: Count }),
  ],
  history: [
    open({
      ticks: v.array(Past),
      total: Count,
      agents: v.array(open({ agent: Text, sessions: Count, gave_up: Count })),
    }),
    open({
      run_id: RunId,
      meta: maybe(Meta),
      report: Report,
      files: v.array(v.unknown()),
      decision: maybe(open({ kind: Text })),
    }),
    open({ run_id: RunId, patch: Text, patch_base64: maybe(Text) }),
    open({ same: Flag, ticks: v.array(open({ run_id: RunId, result: Text })) }),
    open({
      dry_run: Flag,
      removed: v.array(open({ run_id: RunId, bytes: Count })),
      held: v.array(open({ run_id: RunId, reason: Text })),
      bytes_before: Count,
      bytes_after: Count,
      problems: Texts,
    }),
  ],
  events: [JournalLine],
  judge: [
    open({
      ...Judgement.entries,
      suspicions: Judgement.entries.findings,
      blast_radius: BlastRadius,
      message: v.null(),
      problems: Texts,
      subject: open({
        kind: v.picklist(["worktree", "staged", "range"]),
        base: CommitId,
        other_bases: v.array(CommitId),
        head: maybe(CommitId),
      }),
      rules_from: open({ kind: v.picklist(["base", "worktree", "built-in"]) }),
      rules: Rules,
      touched_paths: Texts,
    }),
    open({
      message: v.null(),
      problems: Texts,
      head: CommitId,
      rules_from: open({ kind: v.picklist(["base", "worktree", "built-in"]) }),
      rules: Rules,
      merges: Count,
      standings: open({ kept: Count, held: Count, protected: Count, refused: Count }),
      rates: v.array(RuleRate),
      kinds: v.array(RuleRate),
      commits: v.array(open({ ...JudgedCommit.entries, standing: Text })),
      unjudged: v.array(open({ commit: CommitId, why: Text })),
      proposed: open({
        settings: v.array(open({ path: Texts, rule: Text, changes: Count })),
        diff: Text,
      }),
    }),
  ],
  doctor: [
    open({
      ok: Flag,
      relais: Text,
      platform: Text,
      checks: v.array(
        open({
          subject: Text,
          status: v.picklist(["ok", "warn", "fail"]),
          message: Text,
          problems: Texts,
          fix: maybe(Text),
        }),
      ),
    }),
  ],
  drill: DRILL_OUTPUTS,
  demo: DEMO_OUTPUTS,
  explain: [
    open({ codes: v.record(v.string(), Code), series_ends: v.record(v.string(), Checked) }),
    open({ code: AnyCode, ...Code.entries }),
    open({ series_end: Text, ...Checked.entries }),
  ],
  completions: [open({ shell: v.picklist(["bash", "zsh", "fish"]), script: Text })],
};
