import { type JobCommand, type JobTerms, PRIORITY_MAX } from "../queue/pure/job.ts";
import { planJob } from "../jobs/plan-job.ts";
import { readJobWork } from "../jobs/read-job-work.ts";
import type { Queue } from "../jobs/decide-job.ts";
import { COUNT_OPTIONS } from "../queue/pure/job-arguments.ts";
import { renderSubmitted } from "../cards/job-text.ts";
import { type CHOICE_OPTIONS, parseChoices } from "../terminal/choice-options.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { findNamedJob, onQueue } from "./queue-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { ParsedArguments } from "../terminal/arguments.ts";
import { type CommandEnd, type Misused, refuseMisuse, type Session } from "../terminal/command.ts";
import { type Options, type OptionSpecs, parseTypedOptions } from "../terminal/option-spec.ts";
import { parseRunOptions } from "./run-options.ts";
import type { JobOptions } from "./submit-spec.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const WAIT = /^\+?(?<count>\d{1,6})(?<unit>[smhd])$/;
const CLOCK = /^(?<hours>[01]?\d|2[0-3]):(?<minutes>[0-5]\d)$/;
const DAY = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** A time that a person typed, as a timestamp: `18:30` (the next one), `2h` from now, or a date; null for any other text. */
export function readStartTime(text: string, nowMs: number): string | null {
  const wait = WAIT.exec(text)?.groups;
  if (wait !== undefined) return write(nowMs + Number(wait["count"]) * (UNITS[wait["unit"] ?? ""] ?? 0));
  const clock = CLOCK.exec(text)?.groups;
  if (clock !== undefined) return write(findNext(Number(clock["hours"]), Number(clock["minutes"]), nowMs));
  const moment = DAY.test(text) ? Date.parse(text.replace(" ", "T")) : Number.NaN;
  return Number.isNaN(moment) ? null : write(moment);
}

/** By the clock of this machine's time zone. */
function findNext(hours: number, minutes: number, nowMs: number): number {
  const today = new Date(nowMs);
  today.setHours(hours, minutes, 0, 0);
  if (today.getTime() <= nowMs) today.setDate(today.getDate() + 1);
  return today.getTime();
}

const write = (ms: number): string => new Date(ms).toISOString();

interface Submission {
  readonly command: JobCommand;
  readonly call: ParsedArguments;
  /** Those of the command that the job runs. */
  readonly options: OptionSpecs;
}

/** Lost attempts of a job before it ends as failed. */
const ATTEMPTS_MAX = 3;

export async function submitCommand(submission: Submission, session: Session): Promise<CommandEnd> {
  const { call, command } = submission;
  const options = parseTypedOptions<JobOptions>(call.given);
  const mistake = findMistake(submission);
  if (mistake !== null) return mistake;
  const parsed = parseChoices(parseTypedOptions<typeof CHOICE_OPTIONS>(call.given));
  if (parsed.kind === "misused") return parsed;
  const read = readTerms(options);
  if (read.kind === "misused") return read;
  const { terms } = read;
  const { cwd } = session;
  const work = await readJobWork({ command, cwd, words: call.positionals, options: listGiven(submission) });
  if (work.kind === "misused") return work;
  const planned = await planJob({
    ...session,
    ...work,
    command,
    choices: parsed.choices,
    asked: findAsked(call),
    repo: options.text("repo"),
    base: options.text("base"),
    isSchedule: terms.every !== null,
    needs: options.list("needs"),
  });
  if (planned.kind === "misused") return planned;
  if (planned.kind !== "planned") return printFailure(planned, session);
  return onQueue(session, (queue) => submit(queue, { ...planned, terms, after: options.list("after") }, session));
}

interface PlannedSubmission extends Pick<Parameters<typeof renderSubmitted>[0], "spec" | "notes"> {
  readonly terms: Omit<JobTerms, "after">;
  readonly after: readonly string[];
}

async function submit({ engine }: Queue, planned: PlannedSubmission, session: Session): Promise<CommandEnd> {
  const { spec, notes } = planned;
  const views = await engine.jobs();
  const after: string[] = [];
  for (const asked of planned.after) {
    const found = findNamedJob(asked, views);
    if (found.kind === "misused") return found;
    after.push(found.view.id);
  }
  const terms = { ...planned.terms, after };
  const job = await engine.submit(spec, terms);
  const { command, title, base, key, caps, needs, repository } = spec;
  const place = repository.kind === "url" ? repository.url : repository.path;
  const document = {
    job,
    command,
    title,
    repository: place,
    base,
    branch: `relais/${job}`,
    key,
    needs,
    caps,
    terms,
    notes,
  };
  return printAnswer(
    { document, text: () => renderSubmitted({ job, spec, terms, notes, isShared: engine.facts.shared }, session) },
    session,
  );
}

/** What the command itself would refuse. */
function findMistake({ command, call }: Submission): Misused | null {
  const counts = COUNT_OPTIONS.find((name) => !/^[1-9]\d*$/.test(call.given.get(name)?.[0] ?? "1"));
  if (counts !== undefined) return refuseMisuse(`--${counts} is a whole number, 1 or more`);
  if (command !== "run") return null;
  const parsed = parseRunOptions(call.positionals, parseTypedOptions(call.given));
  return parsed.kind === "misused" ? parsed : null;
}

function findAsked({ given }: ParsedArguments): number | null {
  const asked = COUNT_OPTIONS.flatMap((name) => given.get(name) ?? []);
  return asked[0] === undefined ? null : Number(asked[0]);
}

function listGiven({ call, options }: Submission) {
  return [...call.given].flatMap(([key, values]) => {
    const name = String(key);
    const spec = options[name];
    // The base of a job is that of the goal, too.
    if (spec === undefined || name === "base") return [];
    return values.map((value) => ({ name, isFlag: spec.type === "flag", value }));
  });
}

type ReadTerms = { readonly kind: "terms"; readonly terms: Omit<JobTerms, "after"> } | Misused;

function readTerms(options: Options<JobOptions>): ReadTerms {
  const priority = Number(options.text("priority") ?? "0");
  if (!Number.isInteger(priority) || Math.abs(priority) > PRIORITY_MAX)
    return refuseMisuse(`--priority is a whole number from -${PRIORITY_MAX} to ${PRIORITY_MAX}`);
  const at = options.text("at");
  const notBefore = at === null ? null : readStartTime(at, Date.now());
  if (at !== null && notBefore === null)
    return refuseMisuse(`--at cannot be understood: "${at}"; write 18:30, 2h or 2026-12-24T08:00`);
  const every = options.text("every");
  return { kind: "terms", terms: { priority, not_before: notBefore, every, attempts_max: ATTEMPTS_MAX } };
}
