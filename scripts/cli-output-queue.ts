/** What the commands around the queue print with `--json`. */
import * as v from "valibot";
import { Report } from "../src/records/report.ts";
import { JournalLine } from "../src/records/event.ts";
import { Attachment, JobCommand, JobHead, JobLabel, JobResult, JobSpent, JobTerms } from "../src/queue/pure/job.ts";
import { CommitId, Timestamp } from "../src/base/identifier.ts";
import { Count, Dollars } from "../src/base/quantity.ts";

const open = v.looseObject;
const Text = v.string();
const Texts = v.array(Text);
const maybe = v.nullable;
const Flag = v.boolean();

const { base, caps } = JobHead.entries;
const Common = {
  job: Text,
  command: JobCommand,
  title: Text,
  repository: Text,
  base,
  key: Text,
  needs: v.array(JobLabel),
  caps,
};

export const JobOutput = open({
  ...Common,
  phase: v.picklist(["scheduled", "waiting", "running", "done", "failed", "cancelled"]),
  paused: Flag,
  arguments: Texts,
  terms: JobTerms,
  submitted_at: Timestamp,
  started_at: maybe(Timestamp),
  ended_at: maybe(Timestamp),
  attempt: Count,
  token: Count,
  worker: maybe(open({ id: Text, host: Text, pid: Count, silent_seconds: maybe(Count), lost: maybe(Text) })),
  waits_for: maybe(Text),
  asked: maybe(v.picklist(["cancel", "pause", "resume"])),
  spent: JobSpent,
  result: maybe(JobResult),
  attachments: v.array(Attachment),
  losses: v.array(open({ attempt: Count, at: Timestamp, why: Text })),
});

const Ref = open({ ref: Text, commit: CommitId, state: v.picklist(["new", "same", "moved", "kept"]) });
const OfJob = { slot: Count, job: Text };

export const QUEUE_OUTPUTS: Readonly<Record<string, readonly v.GenericSchema[]>> = {
  land: [
    open({
      landings: v.array(
        open({
          name: Text,
          outcome: v.picklist(["landed", "already", "stopped", "conflict", "refused"]),
          report: maybe(Report),
          conflict: maybe(open({ paths: Texts, text: Text, again: maybe(Text) })),
          again: maybe(Text),
          failure: maybe(open({ cause: Text, message: Text })),
        }),
      ),
    }),
  ],
  submit: [open({ ...Common, branch: Text, terms: JobTerms, notes: Texts })],
  worker: [
    open({ kind: v.literal("claimed"), ...OfJob, title: Text, repository: Text, attempt: Count }),
    open({ kind: v.literal("line"), ...OfJob, line: JournalLine }),
    open({ kind: v.literal("finished"), ...OfJob, result: JobResult }),
    open({ kind: v.literal("released"), ...OfJob, why: Text }),
    open({ kind: v.literal("fenced"), ...OfJob }),
    open({ kind: v.literal("warned"), message: Text }),
    open({
      kind: v.literal("worker_summary"),
      done: Count,
      failed: Count,
      cancelled: Count,
      released: Count,
      fenced: Count,
    }),
  ],
  queue: [
    open({
      held: Flag,
      jobs: v.array(JobOutput),
      limits: v.array(open({ agent: Text, until: Timestamp })),
      budget: maybe(
        open({
          per: v.picklist(["day", "total"]),
          cap: Dollars,
          spent: Dollars,
          reserved: Dollars,
          by: v.array(open({ member: Text, dollars: Dollars })),
        }),
      ),
    }),
    JobOutput,
    open({ job: Text, asked: v.picklist(["cancel", "pause", "resume"]), answer: v.picklist(["done", "asked"]) }),
    open({ job: Text, phase: v.literal("waiting") }),
    open({ job: Text, priority: v.number() }),
    open({ held: Flag }),
    open({
      held: Flag,
      jobs: v.array(
        open({
          job: Text,
          answer: v.picklist(["restored", "known", "unreachable"]),
          phase: v.picklist(["waiting", "done", "failed", "cancelled"]),
        }),
      ),
    }),
    JournalLine,
    open({
      kind: v.literal("serving"),
      url: Text,
      version: Text,
      durable: v.picklist(["fsync", "deferred"]),
      repositories: Count,
      config: Text,
    }),
    open({ kind: v.literal("stopped") }),
    open({ name: Text, role: v.picklist(["worker", "submitter"]), url: Text, repositories: Texts, file: Text }),
    open({ url: Text, settings: Text, repositories: Texts }),
  ],
  fetch: [
    open({
      job: Text,
      outcome: v.picklist(["done", "failed", "cancelled"]),
      base,
      branch: maybe(Ref),
      salvage: v.array(Ref),
      folder: Text,
      files: Texts,
    }),
  ],
};
