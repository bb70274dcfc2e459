import type { JobView } from "../../queue/pure/engine.ts";
import { describeSpent, nameBase } from "../../cards/job-text.ts";
import type { PageTone } from "./page-documents.ts";
import type { JobAction, PageJob, QueuePage } from "./repository-documents.ts";

interface QueueSource {
  readonly views: readonly JobView[];
  readonly isHeld: boolean;
  readonly limits: QueuePage["limits"];
  /** When the worker of a job was last seen; null where nobody knows. */
  readonly findBeat: (view: JobView) => string | null;
}

/** Those that are not over are all shown. */
const OVER_SHOWN = 200;

const TONES: Readonly<Record<JobView["phase"], PageTone>> = {
  scheduled: "calm",
  waiting: "calm",
  running: "wait",
  done: "good",
  failed: "bad",
  cancelled: "calm",
};

export function makeQueuePage({ views, isHeld, limits, findBeat }: QueueSource): QueuePage {
  const jobs = views
    .toSorted((one, other) => (one.submittedAt < other.submittedAt ? 1 : -1))
    .map((view) => makeJob(view, findBeat(view)));
  const over = jobs.filter((job) => job.isOver);
  const shown = [...jobs.filter((job) => !job.isOver), ...over.slice(0, OVER_SHOWN)];
  return { isHeld, limits, jobs: shown, jobsLeftOut: jobs.length - shown.length, trouble: null };
}

/** A queue that cannot be read now. */
export function describeBrokenQueue(trouble: string): QueuePage {
  return { isHeld: false, limits: [], jobs: [], jobsLeftOut: 0, trouble };
}

function makeJob(view: JobView, beatAt: string | null): PageJob {
  const { id, spec, phase, worker, attempt } = view;
  return {
    id,
    command: spec.command,
    title: spec.title,
    from: nameBase(spec),
    word: nameState(view),
    tone: view.isPaused ? "calm" : TONES[phase],
    isOver: isOver(view),
    waitsFor: view.waitsFor === null ? null : writeWait(view.waitsFor),
    worker: worker === null || phase !== "running" ? null : `${worker.host}, pid ${worker.pid}`,
    beatAt,
    attempt,
    spent: Object.values(view.spent).some((much) => much > 0) ? describeSpent(view.spent) : null,
    ...describeResult(view),
    attachments: view.attachments.map(({ name, bytes }) => ({ name, bytes })),
    losses: view.losses.map((loss) => `attempt ${loss.attempt}: ${loss.why}`),
    submittedAt: view.submittedAt,
    startedAt: view.startedAt,
    endedAt: view.endedAt,
    actions: listActions(view),
  };
}

const MOMENT = /T(?<time>\d\d:\d\d):\d\d(?:\.\d+)?Z/gu;

/** As a sentence, with times as people write them. */
function writeWait(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1).replaceAll(MOMENT, " $<time> UTC")}.`.replace(
    /\.\.$/u,
    ".",
  );
}

function isOver({ phase }: JobView): boolean {
  return phase === "done" || phase === "failed" || phase === "cancelled";
}

const ASKED: Readonly<Record<string, string>> = { cancel: "ends now", pause: "pauses after its tick" };

function nameState(view: JobView): string {
  const asked = view.asked === null ? undefined : ASKED[view.asked];
  if (asked !== undefined) return `${view.phase}, ${asked}`;
  return view.isPaused && !isOver(view) ? `${view.phase}, paused` : view.phase;
}

/** A job that is tried again still has its old result. A summary may be the title again. */
function describeResult({ phase, result, spec }: JobView): Pick<PageJob, "result" | "code" | "branch"> {
  if (result === null || phase === "waiting") return { result: null, code: null, branch: null };
  return { result: result.summary === spec.title ? null : result.summary, code: result.code, branch: result.branch };
}

/** What `relais queue` would not refuse now. */
function listActions(view: JobView): readonly JobAction[] {
  if (isOver(view)) return ["retry"];
  const isPausing = view.isPaused || view.asked === "pause";
  return [isPausing ? "resume" : "pause", "cancel"];
}
