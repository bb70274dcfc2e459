/** Lets the agent draft what a person is then suggested: one tick in which somebody only looks. */
import { join } from "node:path";
import type { CampaignDraft } from "../../contract/workflows/campaign-draft.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { draftOf, draftWork } from "../../core/campaign/draft-work.ts";
import { shorten } from "../../core/words/shorten.ts";
import { WorkspaceFold } from "../../core/history/workspace-state.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { errorCode } from "../../io/files/error-code.ts";
import { runGit } from "../../io/git/git.ts";
import { type Journal, openJournal } from "../../io/journal/journal.ts";
import { readNow } from "../../io/files/read-now.ts";
import { newRunId } from "../../io/workspace/run-directory.ts";
import { findGround, type Ground } from "../workspace/ground.ts";
import { incompleteJournal, lockPathsOf } from "../workspace/incomplete-journal.ts";
import { openSession } from "../tick/open-session.ts";
import { runWork } from "../tick/run-work.ts";
import type { SeriesRequest } from "../series/series-sitting.ts";
import { journalUnusable } from "../workspace/unusable-journal.ts";
import { type NoteInLocks, withLocks } from "../workspace/with-locks.ts";

export type DraftSources = Pick<
  SeriesRequest<unknown>,
  "cwd" | "environment" | "signal" | "player" | "renderReport" | "relaisVersion"
>;

type DraftAnswer =
  | { readonly kind: "drafted"; readonly draft: CampaignDraft }
  /** Why there is none, without a full stop. Others may have written it. */
  | { readonly kind: "none"; readonly why: string };

const WHY_CHARS = 200;

const none = (why: string): DraftAnswer => ({
  kind: "none",
  why: shorten(why.replaceAll(/\s+/gu, " ").replace(/\.$/u, ""), WHY_CHARS),
});

/** Asks the configured agent once. Whatever goes wrong is a reason to do without a draft, and no failure. */
export async function draftCampaign(sources: DraftSources, description: string): Promise<DraftAnswer> {
  try {
    return await underLocks(sources, description);
  } catch (error) {
    if (error instanceof MeasurementError) return none(error.message);
    if (errorCode(error) !== null) return none(`${errorCode(error)}`);
    throw error;
  }
}

async function underLocks(sources: DraftSources, description: string): Promise<DraftAnswer> {
  const ground = await findGround(sources.cwd, sources.environment);
  if (ground.kind === "blocked") return none(ground.message);
  const incomplete = await incompleteJournal(ground);
  if (incomplete !== null) return none(incomplete.message);
  const runId = newRunId(currentTimeMs());
  const locked = await withLocks({ paths: lockPathsOf(ground), runId }, async (noteInLocks) => {
    const path = join(ground.stateDirectory, "journal.jsonl");
    const opened = await openJournal({ path, ledger: join(ground.workspace, "ledger.jsonl") });
    if (opened.kind !== "open") return none(journalUnusable(opened).message);
    const { journal } = opened;
    try {
      return await ask(sources, description, { ground, journal, runId, noteInLocks });
    } finally {
      await journal.close();
    }
  });
  if (locked.kind === "done") return locked.value;
  return none(locked.kind === "busy" ? "relais is at work in this repository" : locked.reason);
}

interface Opened {
  readonly ground: Ground;
  readonly journal: Journal;
  readonly runId: string;
  readonly noteInLocks: NoteInLocks;
}

async function ask(sources: DraftSources, description: string, opened: Opened): Promise<DraftAnswer> {
  const { ground, journal, runId } = opened;
  const work = draftWork({
    config: ground.config,
    description,
    milestone: journal.fold(WorkspaceFold).milestone.milestoneId,
    facts: factsIn(ground),
    branch: ground.head.text.replace(/^ref: refs\/heads\//u, ""),
    paths: await trackedPaths(ground, sources.signal),
  });
  const session = await openSession({ ...sources, ...opened, seriesId: runId, work });
  if (session.kind === "blocked") return none(session.message);
  const { relaisVersion } = sources;
  const { report } = await runWork(session.session, { workflow: "campaign", work, relaisVersion });
  const reviews = journal
    .lines()
    .flatMap(({ run_id, event }) => (run_id === runId && event.type === "reviewed" ? event.reviews : []));
  const draft = report.code === "SUCCESS" ? draftOf(reviews) : null;
  if (draft !== null) return { kind: "drafted", draft };
  if (report.code === "SUCCESS") throw new InvariantError("a draft was accepted that cannot be read");
  return none(report.message ?? report.cause ?? report.code);
}

const FACTS_BYTES_MAX = 1024 * 1024;

function factsIn({ workspace }: Ground): string {
  return readNow(join(workspace, "FACTS.md"), { bytesMax: FACTS_BYTES_MAX })?.toString("utf8") ?? "";
}

const PATHS_BYTES_MAX = 64 * 1024 * 1024;

async function trackedPaths({ repository, head }: Ground, signal: AbortSignal): Promise<readonly string[]> {
  const { root, gitDir, environment } = repository;
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", head.commit];
  const { stdout } = await runGit({
    cwd: root,
    environment,
    gitDir,
    args,
    signal,
    outputBytesMax: PATHS_BYTES_MAX,
  });
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "");
}
