import type { JobView, SeenWorker } from "../queue/pure/engine.ts";
import type { JobSpec, JobSpent, JobTerms, FetchedJob } from "../queue/pure/job.ts";
import type { BudgetView } from "../queue/pure/team-budget.ts";
import { describeTeamBudget } from "../queue/pure/team-account.ts";
import { countNoun, shorten } from "../base/words.ts";
import { renderCard } from "./card.ts";
import {
  BAD,
  type Canvas,
  type Fact,
  GOOD,
  makeStep,
  measureWidth,
  NEUTRAL,
  type NextStep,
  PENDING,
  type Sign,
  WARNING,
} from "../base/canvas.ts";
import { formatDuration, formatMoment } from "../base/duration-text.ts";
import { neutralise } from "../base/style.ts";
import { padText } from "../base/wrap-text.ts";

/** Jobs for people: one line each, or a card. */

const SIGNS: Readonly<Record<JobView["phase"], Sign>> = {
  scheduled: NEUTRAL,
  waiting: NEUTRAL,
  running: PENDING,
  done: GOOD,
  failed: BAD,
  cancelled: WARNING,
};

export interface SubmittedJob {
  readonly job: string;
  readonly spec: JobSpec;
  readonly terms: JobTerms;
  readonly notes: readonly string[];
  /** Whether other machines do it. */
  readonly isShared: boolean;
}

export function renderSubmitted({ job, spec, terms, notes, isShared }: SubmittedJob, canvas: Canvas): string {
  const facts: readonly Fact[] = [
    ["job", `${job}: ${spec.command}, ${neutralise(shorten(spec.title, 120))}`],
    ["branch", `relais/${job}${terms.every === null ? "" : "-TIME"}, from ${nameBase(spec)}`],
    ["key", neutralise(spec.key)],
    ["caps", describeCaps(spec)],
    ["starts", describeTerms(terms)],
    ["needs", spec.needs.length === 0 ? null : spec.needs.join(", ")],
    ...notes.map((note): Fact => ["note", neutralise(note)]),
  ];
  const next = [
    ...(isShared ? [] : [makeStep("relais worker --drain", "do all waiting jobs here, then end")]),
    makeStep(`relais queue show ${job}`, "see what it does"),
  ];
  return renderCard({ ...GOOD, word: "Submitted", title: job, facts, next }, canvas);
}

function namePlace({ repository }: Pick<JobSpec, "repository">): string {
  return repository.kind === "url" ? repository.url : repository.path;
}

export function nameBase({ base, repository }: Pick<JobSpec, "base" | "repository">): string {
  const place = neutralise(namePlace({ repository }));
  if (base.follows === true) return `${neutralise(base.branch ?? "")} as it is then, of ${place}`;
  return `${base.branch === null ? "" : `${neutralise(base.branch)} at `}${base.commit.slice(0, 12)} of ${place}`;
}

function describeCaps({ caps, repository }: Pick<SubmittedJob["spec"], "caps" | "repository">): string {
  if (repository.kind === "url") {
    const ticks = caps.ticks === null ? "" : `at most ${countNoun(caps.ticks, "tick")}; otherwise `;
    return `${ticks}those of the repository's own configuration, which is read when it starts`;
  }
  const parts = [
    caps.ticks === null ? null : countNoun(caps.ticks, "tick"),
    caps.sessions === null ? null : countNoun(caps.sessions, "session"),
    caps.seconds === null ? null : formatDuration(caps.seconds * 1000),
    caps.dollars === null ? "no cap on dollars" : `$${caps.dollars}`,
  ];
  return `at most ${parts.filter((part) => part !== null).join(", ")}`;
}

function describeTerms({ not_before: at, every, after, priority }: JobTerms): string {
  const parts = [
    every === null ? null : `each time of "${neutralise(every)}"`,
    at === null ? null : `not before ${formatMoment(at)} UTC`,
    after.length === 0 ? null : `after ${after.join(", ")}`,
    priority === 0 ? null : `with priority ${priority}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "as soon as a worker is free" : parts.join(", ");
}

const PHASE_WIDTH = 9;

/** One line for each job, the newest last. */
export function renderQueue(views: readonly JobView[], text: QueueText): string {
  const { isHeld, canvas, limits = [], budget = null } = text;
  const head = [
    ...(isHeld ? ["The queue is paused; `relais queue resume` lets workers go on."] : []),
    ...limits.map(({ agent, until }) => neutralise(`No session of ${agent} starts before ${until}.`)),
    ...(budget === null ? [] : [neutralise(`Budget: ${describeTeamBudget(budget)}.`)]),
  ];
  const isOfSeveral = new Set(views.map(({ spec }) => namePlace(spec))).size > 1;
  const lines = views.map((view) => renderLine(view, { canvas, isOfSeveral }));
  if (views.length === 0) lines.push("No jobs.", 'Next: relais submit run "<what to change>"');
  return `${[...head, ...lines].join("\n")}\n`;
}

interface QueueText {
  readonly isHeld: boolean;
  readonly limits?: readonly { readonly agent: string; readonly until: string }[];
  readonly budget?: BudgetView | null;
  readonly canvas: Canvas;
}

/** The repository is named where the list has jobs of several. */
function renderLine(view: JobView, { canvas, isOfSeveral }: { canvas: Canvas; isOfSeveral: boolean }): string {
  const { sign, word } = nameSituation(view);
  const { mark, tone } = sign;
  const head = `${mark} ${padText(word, PHASE_WIDTH)} ${view.id}`;
  const detail = describeState(view);
  const where = isOfSeveral ? ` in ${namePlace(view.spec).replace(/\/+$/, "").split("/").at(-1) ?? ""}` : "";
  const text = neutralise(`${view.spec.command}${where}: ${view.spec.title}${detail === null ? "" : `  (${detail})`}`);
  const room = Math.max(20, measureWidth(canvas) - head.length - 2);
  return `${canvas.style(tone, head)}  ${canvas.columns === Infinity ? text : shorten(text, room)}`;
}

/** A job whose worker is lost is not running, although nobody has taken it over yet. */
function nameSituation({ phase, worker }: JobView): { readonly sign: Sign; readonly word: string } {
  return worker?.lost == null ? { sign: SIGNS[phase], word: phase } : { sign: WARNING, word: "lost" };
}

function describeLoss({ silentMs, lost }: SeenWorker): string {
  const seen = silentMs === null ? "" : `, last seen ${formatDuration(silentMs)} ago`;
  return `${lost ?? ""}${seen}; the next worker takes it over`;
}

/** Those of all machines. */
export interface RunningJobs {
  readonly jobs: readonly JobView[];
  /** Why the queue could not be read. */
  readonly trouble: string | null;
}

export function listRunningFacts({ jobs, trouble }: RunningJobs): readonly Fact[] {
  if (trouble !== null) return [["jobs", { ...WARNING, text: neutralise(trouble) }]];
  return jobs.map((view, at): Fact => {
    const text = `${view.id} ${view.spec.command}: ${view.spec.title} (${describeState(view) ?? ""})`;
    return [at === 0 ? "jobs" : "", { ...nameSituation(view).sign, text: neutralise(text) }];
  });
}

/** Where a job runs, and when that worker was last seen. */
export function describeSeen(worker: SeenWorker | null): string {
  if (worker === null) return "its worker is unknown";
  const { host, pid, silentMs } = worker;
  const seen = silentMs === null ? "" : `, seen ${Math.floor(silentMs / 1000)} s ago`;
  return `${host}, pid ${pid}${seen}`;
}

function describeState(view: JobView): string | null {
  const { phase, result, worker, waitsFor } = view;
  if (worker?.lost != null) return describeLoss(worker);
  if (phase === "running") return `${view.asked === "cancel" ? "cancel asked, " : ""}${describeSeen(worker)}`;
  if (result !== null && phase !== "waiting") return phase === "done" ? result.branch : result.summary;
  return waitsFor;
}

export function renderJob(view: JobView, canvas: Canvas): string {
  const { id, spec, result, losses } = view;
  const { sign, word } = nameSituation(view);
  const facts: readonly Fact[] = [
    ["work", `${spec.command}: ${neutralise(spec.title)}`],
    ["from", nameBase(nameBegun(view))],
    ...listSituation(view, word),
    ["started", view.startedAt === null ? null : `${formatMoment(view.startedAt)} UTC`],
    ["ended", view.endedAt === null ? null : `${formatMoment(view.endedAt)} UTC`],
    ["result", result === null ? null : neutralise(result.summary)],
    ["code", result?.code ?? null],
    ["branch", describeBranch(view)],
    ["spent", describeSpent(view.spent)],
    ["caps", describeCaps(spec)],
    ...losses.map((loss): Fact => ["lost", `attempt ${loss.attempt}: ${neutralise(loss.why)}`]),
    ["files", view.attachments.length === 0 ? null : view.attachments.map(({ name }) => name).join(", ")],
  ];
  return renderCard({ ...sign, word, title: id, facts, next: listSteps(view) }, canvas);
}

function listSituation(view: JobView, word: string): readonly Fact[] {
  const { worker, attempt, isPaused, asked, waitsFor } = view;
  return [
    ["state", `${word}${isPaused ? ", paused" : ""}${asked === "cancel" ? ", cancel asked" : ""}`],
    ["waits for", worker?.lost == null ? waitsFor : `a worker: ${describeLoss(worker)}`],
    ["worker", worker === null ? null : `${neutralise(describeSeen(worker))}, attempt ${attempt}`],
  ];
}

/** Once a job that follows its branch has ended, the commit that it started from is known. */
function nameBegun({ spec, result }: JobView): Pick<JobSpec, "base" | "repository"> {
  const { base, repository } = spec;
  return result?.base === undefined ? spec : { repository, base: { commit: result.base, branch: base.branch } };
}

const SENTENCES = {
  cancel: { done: "is cancelled.", asked: "was asked to end; its worker reverts the running change." },
  pause: { done: "is paused.", asked: "pauses after its current tick." },
  resume: { done: "waits for a worker again.", asked: "goes on." },
  retry: { done: "waits for a worker again.", asked: "waits for a worker again." },
} as const;

export interface JobDecisionWords {
  readonly job: string;
  readonly decision: keyof typeof SENTENCES;
  readonly answer: "done" | "asked";
}

export function renderJobDecision({ job, decision, answer }: JobDecisionWords): string {
  return `${job} ${SENTENCES[decision][answer]}\n`;
}

export function renderHeldQueue(isHeld: boolean): string {
  return isHeld
    ? "The queue is paused: running jobs go on, and no worker takes another one.\nNext: relais queue resume\n"
    : "Workers take jobs again.\n";
}

function describeBranch({ result }: JobView): string | null {
  if (result === null || result.branch === null || result.commit === null) return null;
  return `${neutralise(result.branch)} at ${result.commit.slice(0, 12)}`;
}

export function describeSpent({ ticks, sessions, dollars, seconds, tokens = 0 }: JobSpent): string {
  const money = dollars === 0 ? "" : `, $${dollars.toFixed(2)}`;
  const cost = tokens === 0 ? money : `${money}, ${tokens.toLocaleString("en-US")} tokens`;
  return `${countNoun(ticks, "tick")}, ${countNoun(sessions, "session")}, ${formatDuration(seconds * 1000)}${cost}`;
}

const landJob = (id: string): NextStep => makeStep(`relais land ${id}`, "put it on your branch, judged there");

function listSteps({ id, phase, result, worker }: JobView): readonly NextStep[] {
  const fetch = makeStep(`relais fetch ${id}`, "get its branch, journal and salvage");
  if (phase === "done") return result?.commit == null ? [fetch] : [landJob(id), fetch];
  if (phase === "failed" || phase === "cancelled")
    return [...(result === null ? [] : [fetch]), makeStep(`relais queue retry ${id}`, "try it again from its base")];
  if (phase === "running" && worker?.lost == null)
    return [
      makeStep(`relais queue show ${id} --follow`, "follow its journal"),
      makeStep(`relais queue cancel ${id}`, "end it now"),
    ];
  return [makeStep("relais worker", "take jobs here"), makeStep(`relais queue cancel ${id}`, "remove it")];
}

const STATES = {
  new: "new here",
  same: "here already",
  moved: "moved forward",
  kept: "kept as it is here: it has other commits, or is checked out",
} as const;

export function renderFetched(fetched: FetchedJob, canvas: Canvas): string {
  const { job, branch, salvage, folder, files, base } = fetched;
  const name = branch === null ? null : branch.ref.replace(/^refs\/heads\//, "");
  const facts: readonly Fact[] = [
    [
      "branch",
      branch === null
        ? "none: nothing was committed"
        : `${name} at ${branch.commit.slice(0, 12)}, ${STATES[branch.state]}`,
    ],
    ...salvage.map(({ ref, state }): Fact => ["salvage", `${neutralise(ref)}, ${STATES[state]}`]),
    ["files", `${files.join(", ")} in ${neutralise(folder)}`],
  ];
  const next: NextStep[] = [];
  if (name !== null)
    next.push(landJob(job), makeStep(`git log ${base.commit.slice(0, 12)}..${name}`, "look at its commits"));
  const [saved] = salvage;
  if (saved !== undefined) next.push(makeStep(`git show ${saved.ref}`, "look at the reverted work"));
  const sign = branch?.state === "kept" ? WARNING : GOOD;
  return renderCard({ ...sign, word: "Fetched", title: job, facts, next }, canvas);
}
