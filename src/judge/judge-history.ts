/**
 * `relais judge --history`: the last commits of the branch, each judged as if it were a change, by the rules of today.
 *
 * Only first parents count, so a merge is one change: everything that it brought. What was judged is a line of a record
 * in the state directory, so that a call that was stopped is gone on with.
 */
import type { Caller } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { CONFIG_NAME } from "../config/config.ts";
import { accessRepository, runGit } from "../git/git.ts";
import { readHead } from "../git/head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { openHistoryRecord, type HistoryRecord } from "../journal/history-record.ts";
import { refuseNotReady } from "../records/command-failure.ts";
import type { JudgedCommit } from "../records/judgement.ts";
import { readConfigFile } from "../workspace/config-file.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import { rememberContents } from "./base-commit.ts";
import { answerUnmeasured, judgeMeasured } from "./judge-change.ts";
import type { JudgeFlags, JudgeOutcome, JudgeRequest } from "./judge-rules.ts";
import { listJudgedPlaces } from "./pure/judged-rates.ts";
import { applySettings, type ProposedSetting, proposeSettings, writeDifference } from "./pure/propose-settings.ts";

export interface HistoryRequest extends Caller {
  /** How many commits, the newest first. */
  readonly count: number;
  readonly flags: JudgeFlags;
  readonly signal: AbortSignal;
  /** The program that judges: what another one found does not count. */
  readonly executable: string;
  readonly onProgress: (done: number, all: number) => void;
}

type Judged = Extract<JudgeOutcome, { kind: "judged" }>;

export interface JudgedHistory {
  readonly kind: "history";
  /** The newest first. */
  readonly commits: readonly JudgedCommit[];
  /** How many of them are merges. */
  readonly merges: number;
  /** Commits without a judgement, and why. */
  readonly unjudged: readonly { readonly commit: string; readonly why: string }[];
  readonly head: string;
  readonly origin: Judged["origin"];
  readonly rules: Judged["rules"];
  readonly settings: readonly ProposedSetting[];
  /** Of the configuration, with these settings; empty where nothing is proposed. */
  readonly diff: string;
}

type HistoryOutcome = JudgedHistory | Exclude<JudgeOutcome, { kind: "judged" }>;

export async function judgeHistory(request: HistoryRequest): Promise<HistoryOutcome> {
  const repository = await locateRepository(request, { needsGit: true });
  if (repository.kind === "blocked") return repository;
  const { commit: head } = await readHead(repository, request.signal);
  if (head === null)
    return refuseNotReady(
      "no_commit",
      `The repository at ${repository.root} has no commit yet.`,
      "Make some commits: without them there is no history to judge.",
    );
  const remembered = rememberContents();
  const judge = ({ from, to }: Step): Promise<JudgeOutcome> =>
    answerUnmeasured(() => {
      const rules = { commit: head, mayBeOnDisk: true };
      const asked: JudgeRequest = {
        ...request,
        target: { kind: "range", from, to },
        taskFile: null,
        proof: null,
        remembered,
      };
      const subject = { kind: "range", base: from, otherBases: [], head: to, rules } as const;
      return judgeMeasured({ request: asked, repository, task: null, settings: undefined }, subject);
    });
  const now = await judge({ from: head, to: head });
  if (now.kind !== "judged") return now;
  const { rules, origin } = now;
  const steps = await listSteps(repository, { ...request, head });
  const found = await judgeSteps(
    steps,
    judge,
    request,
    openHistoryRecord({ ...request, repository }, { rules, origin }),
  );
  const settings = proposeSettings(found.commits, rules);
  return {
    kind: "history",
    ...found,
    merges: steps.filter(({ isMerge }) => isMerge).length,
    head,
    origin,
    rules,
    settings,
    diff: settings.length === 0 ? "" : await writeProposal(repository, settings),
  };
}

interface Step {
  readonly from: string;
  readonly to: string;
}

interface PastStep extends Step {
  readonly isMerge: boolean;
}

const LIST_BYTES_MAX = 64 * 1024 * 1024;

/** The newest first. The first commit of all has nothing before it. */
async function listSteps(
  repository: Repository,
  { head, count, signal }: Pick<HistoryRequest, "count" | "signal"> & { readonly head: string },
): Promise<readonly PastStep[]> {
  const args = ["rev-list", "--first-parent", "--parents", `--max-count=${count}`, head, "--"];
  const { stdout } = await runGit({ ...accessRepository(repository, signal), args, outputBytesMax: LIST_BYTES_MAX });
  return stdout
    .toString("latin1")
    .split("\n")
    .flatMap((line) => {
      const [to, from, ...others] = line.split(" ");
      return to === undefined || from === undefined ? [] : [{ from, to, isMerge: others.length > 0 }];
    });
}

/** While git works for one of them, another one is judged here. */
const AT_ONCE = 3;

async function judgeSteps(
  steps: readonly PastStep[],
  judge: (step: Step) => Promise<JudgeOutcome>,
  request: HistoryRequest,
  record: HistoryRecord,
): Promise<Pick<JudgedHistory, "commits" | "unjudged">> {
  const known = new Map(record.read().map((judged) => [judged.commit, judged]));
  const unjudged = new Map<string, string>();
  const waiting = steps.filter(({ to }) => !known.has(to));
  let done = steps.length - waiting.length;
  request.onProgress(done, steps.length);
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const outcome = await judge(step);
      if (request.signal.aborted)
        throw new MeasurementError(
          `${done} of ${steps.length} commits are judged`,
          "the same command goes on from there",
        );
      if (outcome.kind === "judged") {
        const judged = describe(step.to, outcome);
        known.set(step.to, judged);
        record.append(judged);
      } else unjudged.set(step.to, explainUnjudged(outcome));
      done += 1;
      request.onProgress(done, steps.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    commits: steps.flatMap(({ to }) => known.get(to) ?? []),
    unjudged: steps.flatMap(({ to }) => (unjudged.has(to) ? [{ commit: to, why: unjudged.get(to) ?? "" }] : [])),
  };
}

function describe(commit: string, { judgement, changes }: Judged): JudgedCommit {
  const { files_touched: files, lines_added: added, lines_deleted: deleted } = judgement.blast_radius;
  return { commit, files, lines: added + deleted, places: [...listJudgedPlaces(judgement, changes)] };
}

function explainUnjudged(outcome: Exclude<JudgeOutcome, { kind: "judged" }>): string {
  return "message" in outcome ? outcome.message : `${outcome.what}: ${outcome.detail}`;
}

async function writeProposal(repository: Repository, settings: readonly ProposedSetting[]): Promise<string> {
  const file = await readConfigFile(repository.root);
  const before = file.kind === "config" ? file.text : null;
  return writeDifference(CONFIG_NAME, before, applySettings(before, settings));
}
