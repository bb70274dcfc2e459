import { CODES } from "../../base/codes.ts";
import type { Report, VerificationRun } from "../../records/report.ts";
import type { JournalLine } from "../../records/event.ts";
import { reportQuestion, reportUsage } from "../../tick/pure/report-parts.ts";
import {
  findBase,
  findBaselineRuns,
  findBuilt,
  findFindings,
  findJudgement,
  findOutcome,
  findReview,
  findReviewing,
  findSettled,
  findSettlement,
  findStart,
  findTask,
  findVerification,
} from "../../tick/pure/tick-facts.ts";
import { findTickRecord, type TickRecord } from "../../tick/pure/tick-records.ts";
import { describeCause } from "../../tick/pure/cause-words.ts";
import { describeRedCheck, isGreenRun, nameFindingRule } from "../../tick/pure/decisive-words.ts";
import { describeLine } from "../../cards/event-text.ts";
import { renderNextSteps, findRemedy } from "../../cards/next-steps.ts";
import {
  describeCheck,
  describeEnd,
  describeIsolation,
  describeReviewer,
  findAgentWords,
  listOwnNotes,
  pickVoteMark,
} from "../../cards/report-words.ts";
import type { PageCheck, PageFinding, PageUsage, PageVote, RunPage } from "./page-documents.ts";
import { listPhaseBars } from "./chart-lines.ts";
import { chooseTone, makeTickRow, reportTick } from "./tick-row.ts";

const SHORT_COMMIT = 12;
const PATHS_MAX = 400;
const asIs = (text: string): string => text;

/** One tick; null where the lines have none of this name. */
export function makeRunPage(lines: readonly JournalLine[], runId: string): RunPage | null {
  const own = lines.filter(({ run_id }) => run_id === runId);
  const record = findTickRecord(own, runId);
  const last = own.at(-1);
  if (record === null || last === undefined) return null;
  const { state } = record;
  const report = reportTick(record);
  return {
    kind: "run",
    row: makeTickRow(record, last),
    ...describeOutcome(record, report),
    bars: listPhaseBars(own),
    checks: listChecks(record),
    ...describeJudgement(record),
    votes: listVotes(record),
    votesNeeded: findReviewing(state)?.started.review?.quorum ?? null,
    usage: reportUsage(state).map(describeUse),
    notes: listNotes(record, report),
    facts: listFacts(record, report),
    question: reportQuestion(state),
    salvage: findSettled(state)?.salvage ?? null,
    next: report === null ? [] : renderNextSteps(report).map(({ command, explains }) => ({ command, explains })),
    events: own.map(({ seq, at, event }) => ({ seq, at, type: event.type, words: describeLine(event) })),
  };
}

type JudgementWords = Pick<RunPage, "findings" | "findingsTotal" | "paths" | "pathsTotal" | "newFiles" | "largest">;

const UNJUDGED: JudgementWords = {
  findings: [],
  findingsTotal: 0,
  paths: [],
  pathsTotal: 0,
  newFiles: 0,
  largest: null,
};

function describeJudgement({ state }: TickRecord): JudgementWords {
  const judged = findJudgement(state);
  if (judged === null) return UNJUDGED;
  const findings = findFindings(state).map(describeFinding);
  const { new_files: newFiles, largest } = judged.blast_radius;
  return {
    findings,
    findingsTotal: Math.max(judged.findings_total, findings.length),
    paths: judged.touched_paths.slice(0, PATHS_MAX),
    pathsTotal: judged.touched_paths_total,
    newFiles,
    largest:
      largest === undefined ? null : { path: largest.path, added: largest.lines_added, deleted: largest.lines_deleted },
  };
}

export function describeFinding(finding: Parameters<typeof nameFindingRule>[0]): PageFinding {
  return { subject: finding.subject, rule: nameFindingRule(finding), code: finding.code };
}

type OutcomeWords = Pick<RunPage, "meaning" | "message" | "remedy" | "said">;

function describeOutcome({ state }: TickRecord, report: Report | null): OutcomeWords {
  const outcome = findOutcome(state);
  const words = findBuilt(state)?.summary ?? null;
  if (outcome === null) return { meaning: null, message: null, remedy: null, said: words };
  const { meaning, remedy } = describeCause(outcome.code, outcome.cause);
  const said = words === outcome.message ? null : words;
  if (report === null) return { meaning, message: outcome.message, remedy, said };
  return {
    meaning: describeEnd(report),
    message: report.message,
    remedy: findRemedy(report),
    said: findAgentWords(report) ?? said,
  };
}

function listChecks({ state }: TickRecord): readonly PageCheck[] {
  return [
    ...findBaselineRuns(state).map((run) => makeCheck(run, "before")),
    ...(findVerification(state)?.runs ?? []).map((run) => makeCheck(run, "after")),
  ];
}

function makeCheck(run: VerificationRun, when: PageCheck["when"]): PageCheck {
  const isGreen = isGreenRun(run);
  return {
    name: run.template_id,
    command: [run.cmd, ...run.args].join(" "),
    when,
    isGreen,
    words: isGreen ? describeCheck(run, asIs) : `${describeCheck(run, asIs)} (${describeRedCheck(run)})`,
    durationMs: run.duration_ms,
    lastLines: run.last_lines ?? [],
  };
}

function listVotes({ state }: TickRecord): readonly PageVote[] {
  const reviews = findReview(state)?.reviews ?? findReviewing(state)?.answers ?? [];
  const workflow = findStart(state)?.workflow ?? "relay";
  return reviews.map(({ name, vote, cause, explanation, reasons, wrote }) => ({
    name,
    tone: chooseTone(pickVoteMark({ vote }, workflow)),
    vote,
    text: describeReviewer({ name, vote, cause, summary: explanation, reasons, wrote }, asIs),
  }));
}

function describeUse(usage: Report["usage"][number]): PageUsage {
  const { role, driver, cost_usd: cost, input_tokens: tokensIn, output_tokens: tokensOut } = usage;
  return { role, agent: driver, cost, tokensIn, tokensOut };
}

function listNotes({ state }: TickRecord, report: Report | null): readonly string[] {
  return report === null ? (findJudgement(state)?.notes ?? []) : listOwnNotes(report);
}

/** What a person looks up rarely. */
function listFacts({ runId, seriesId, state }: TickRecord, report: Report | null): RunPage["facts"] {
  const { commit, branch } = findSettlement(state);
  const outcome = findOutcome(state);
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ["run", runId],
    ["series", seriesId],
    ["task", findTask(state)?.task_id],
    ["code", outcome === null ? null : `${outcome.code}${outcome.cause === null ? "" : ` (${outcome.cause})`}`],
    ["verdict", outcome === null ? null : CODES[outcome.code].verdict],
    ["began on", findBase(state)?.base_commit.slice(0, SHORT_COMMIT)],
    ["commit", commit?.slice(0, SHORT_COMMIT)],
    ["branch", branch],
    ["builder", report === null ? null : describeIsolation(report)],
    ["worktree", findStart(state)?.worktree],
  ];
  return facts.flatMap(([label, text]) => (text === null || text === undefined ? [] : [[label, text] as const]));
}
