import type { Change } from "../records/evidence.ts";
import { accessRepository, runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";
import { addTrailers, commitMessage, draftMessage } from "./pure/commit-message.ts";
import { NOTES_ONLY, type ProofStatement } from "../records/proof.ts";
import { findJudgement, findVerification } from "./pure/tick-facts.ts";
import type { JudgedFacts, Outcome, PreparedFacts } from "./pure/tick-state.ts";
import { readClockMs } from "../system/clock.ts";
import { type HookRun, makeHookRun } from "../keep/commit-hooks.ts";
import { readSeriesBranch } from "../workspace/series-branch.ts";
import type { CommitRequest } from "../keep/settle-commit.ts";
import { makeTreeSigner } from "../keep/sign-settlement.ts";
import type { OpenTick } from "./running-tick.ts";

interface CommitPart {
  readonly facts: JudgedFacts;
  readonly outcome: Outcome;
  readonly changes: readonly Change[];
  readonly signal: AbortSignal;
  readonly hooks: HookRun | null;
  /** The first line of the message, if the workflow sets it. */
  readonly subject: string | undefined;
  readonly isPutBack?: boolean | undefined;
}

/** On the branch of the series, with the settings of the tick's start. */
export async function commitRequest(
  session: OpenTick,
  { facts, outcome, changes, signal, hooks, subject, isPutBack }: CommitPart,
): Promise<CommitRequest> {
  const { base, task } = facts;
  const {
    tick: { config, ownBranch },
    where: { repository, store, runDirectory },
    pinned: { settings, identity },
  } = session;
  const { hasOwnBranch, landing, commitsHere } = session.kind === "running" ? session.work : {};
  const head = { text: base.head, commit: base.base_commit };
  return {
    repository,
    store,
    settings,
    identity,
    base: base.base_commit,
    headText: await readSeriesBranch({
      repository,
      config,
      ownBranch,
      head,
      hasOwnBranch,
      commitsHere,
    }),
    changes,
    message: await writeMessage(session, { facts, outcome, subject, isPutBack }),
    commits: isPutBack === true ? undefined : (landing?.commits ?? session.left.commits),
    reason: `relais: ${task.task_id}`,
    hooks,
    sign: makeTreeSigner(
      { config, repository, folder: runDirectory },
      describeProof(session, facts, isPutBack === true ? NOTES_ONLY : outcome.code),
    ),
    privateRoot: runDirectory,
    signal,
  };
}

type MessagePart = Pick<CommitPart, "facts" | "outcome" | "subject" | "isPutBack">;

/** A person's act has a person's words. */
async function writeMessage(session: OpenTick, { facts, outcome, subject, isPutBack }: MessagePart): Promise<string> {
  const { task, started } = facts;
  const { runId, config } = session.tick;
  const { commitsHere, message } = session.kind === "running" ? session.work : {};
  const { code } = outcome;
  if (commitsHere === true)
    return addTrailers(message ?? (await draftOwnMessage(session.where.repository, facts)), { task, runId, code });
  return commitMessage({
    task,
    runId,
    code,
    workflow: started.workflow,
    productName: config.product_name,
    subject,
    isPutBack,
    isUnchecked: findVerification(facts) === null,
  });
}

const SUBJECTS_MAX = 20;
const SUBJECTS_BYTES_MAX = 1024 * 1024;

/** What a person's commit says where they write nothing: their sentence, in the style of the last commits. */
export async function draftOwnMessage(repository: Repository, { task, base, judged }: JudgedFacts): Promise<string> {
  const args = ["log", `-${SUBJECTS_MAX}`, "--no-merges", "--format=%s", base.base_commit];
  const { stdout } = await runGit({ ...accessRepository(repository), args, outputBytesMax: SUBJECTS_BYTES_MAX });
  const subjects = stdout.toString("utf8").split("\n").slice(0, -1);
  return draftMessage({ intent: task.intent ?? "", paths: judged.touched_paths, subjects });
}

/** What is signed about this tick, as far as the tree of a commit does not matter. */
export function describeProof(
  { tick: { runId }, record: { journal } }: OpenTick,
  facts: PreparedFacts,
  code: string,
): Omit<ProofStatement, "tree"> {
  return {
    runId,
    code,
    base: facts.base.base_commit,
    evidence: findJudgement(facts)?.evidence_sha256 ?? null,
    journal: journal.end().sha256 ?? "",
  };
}

/** The hooks from before the work, with the rest of the tick's time. */
export function findHookRun({
  tick: { config, deadlineAt, runId },
  where: { repository },
  pinned: { hooks },
}: OpenTick): HookRun | null {
  const deadlineMs = Math.max(1, deadlineAt - readClockMs());
  return hooks && makeHookRun({ repository, config, pinned: hooks, deadlineMs, runId });
}
