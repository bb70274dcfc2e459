/**
 * `relais judge`: one judgement, without an agent, a tick or a workspace.
 *
 * The request and the repository are checked before anything is measured. A failed
 * measurement ends here as an outcome of its own and never as a judgement.
 */
import { CONFIG_NAME } from "../config/config.ts";
import { DEFAULT_WORKSPACE } from "../config/workspace-path.ts";
import type { Change, Evidence } from "../records/evidence.ts";
import type { Judgement } from "../records/judgement.ts";
import { unreachable } from "../base/invariant.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { RECORD_VERSION } from "../base/record-version.ts";
import { judge } from "./pure/judge.ts";
import { readErrorCode } from "../system/error-code.ts";
import { type FilterSettings, readFilterSettings } from "../git/filter-settings.ts";
import { isGitProgram } from "../git/git-version.ts";
import type { Repository } from "../git/repository-layout.ts";
import { refuseNotReady } from "../records/command-failure.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import { readConfig, readTask } from "./judge-documents.ts";
import { measure } from "./judge-measure.ts";
import type { JudgedSubject, JudgeOutcome, JudgeRequest, RulesOrigin } from "./judge-request.ts";
import { resolveTarget } from "./judge-revisions.ts";
import type { addProof } from "./require-proof.ts";
import { makeJudgeRules, type ScopedTask } from "./judge-rules.ts";
import { reportMisuse } from "../workspace/misuse.ts";

export function judgeChange(request: JudgeRequest): Promise<JudgeOutcome> {
  return answerUnmeasured(() => judgeInRepository(request));
}

async function answerUnmeasured(judgeIt: () => Promise<JudgeOutcome>): Promise<JudgeOutcome> {
  try {
    return await judgeIt();
  } catch (error) {
    if (error instanceof MeasurementError) return { kind: "unmeasured", what: error.what, detail: error.detail };
    // A full disk or a vanished folder: the system's own refusals are failed measurements as well.
    if (readErrorCode(error) !== null) return { kind: "unmeasured", what: "the change", detail: String(error) };
    throw error;
  }
}

/**
 * Git is not asked for its version first: one that has everything that a judgement asks of it is good enough. Where
 * there is no judgement, an unusable git is the reason. A script, which may start any git, is asked first.
 */
async function judgeInRepository(request: JudgeRequest): Promise<JudgeOutcome> {
  const task = request.taskFile === null ? null : await readTask(request.taskFile, request.cwd);
  if (task?.kind === "unusable") return { ...task, kind: "misused" };
  const repository = await locateRepository(request, { needsGit: !isGitProgram(request.cwd, request.environment) });
  const outcome =
    repository.kind === "blocked"
      ? repository
      : await answerUnmeasured(() => judgeTarget({ request, repository, task: task?.task ?? null }));
  if (outcome.kind === "judged") return outcome;
  const checked = await locateRepository(request, { needsGit: true });
  return checked.kind === "blocked" ? checked : outcome;
}

interface JudgeSources {
  readonly request: JudgeRequest;
  readonly repository: Repository;
  readonly task: ScopedTask | null;
}

async function judgeTarget(asked: JudgeSources): Promise<JudgeOutcome> {
  const { request, repository } = asked;
  const settings = request.target.kind === "worktree" ? askSettings(asked) : undefined;
  const resolved = await resolveTarget(request.target, { repository, signal: request.signal });
  switch (resolved.kind) {
    case "unborn":
      return refuseNotReady(
        "no_commit",
        `The repository at ${repository.root} has no commit yet.`,
        "Make a first commit: a change is judged against a commit.",
      );
    case "unknown":
      return reportMisuse(resolved.message);
    case "resolved":
      return judgeMeasured({ ...asked, settings }, resolved.subject);
    default:
      return unreachable(resolved);
  }
}

/** Git answers while files are read. A failure is reported where the settings are used. */
function askSettings({ repository, request }: JudgeSources): Promise<FilterSettings> {
  const settings = readFilterSettings(repository, request.signal);
  settings.catch(() => undefined);
  return settings;
}

async function judgeMeasured(
  { request, repository, task, settings }: JudgeSources & { readonly settings: Promise<FilterSettings> | undefined },
  subject: JudgedSubject,
): Promise<JudgeOutcome> {
  const { decided, ...measured } = await measure({
    repository,
    subject,
    signal: request.signal,
    settings,
    decide: async (committed) => {
      const read = await readConfig({ repository, rules: subject.rules, committed });
      if (read.kind === "unusable") return { rules: null, read };
      const { config, origin } = read;
      return { rules: makeJudgeRules({ origin, config, task, flags: request.flags }), origin, config };
    },
  });
  if (decided.rules === null) return { ...decided.read, kind: "blocked", cause: "config_unusable" };
  const { rules, origin, config } = decided;
  const changes = await leaveOutOwnFiles(measured.changes, origin);
  const evidence: Evidence = {
    version: RECORD_VERSION,
    rules,
    builder_failure: null,
    head: null,
    metadata: [],
    changes: [...changes],
    attributes_touched: { count: 0, paths: [] },
  };
  const judgement = await requireProof({ request, repository, subject, config }, judge(evidence));
  if ("kind" in judgement) return judgement;
  return {
    kind: "judged",
    judgement: { ...judgement, notes: [...judgement.notes, ...measured.notes] },
    subject,
    origin,
    rules,
    touchedPaths: changes.map(({ path }) => path),
  };
}

/** Its code is loaded only where it is asked for. */
async function requireProof(question: Parameters<typeof addProof>[0], judgement: Judgement) {
  if (question.request.proof === null) return judgement;
  return (await import("./require-proof.ts")).addProof(question, judgement);
}

/**
 * While a person sets relais up, the new files of `relais init` are no part of the change. Their names are fixed: a
 * configuration that nobody committed must not hide others. Later changes to them are judged like any other.
 */
async function leaveOutOwnFiles(changes: readonly Change[], origin: RulesOrigin): Promise<readonly Change[]> {
  if (origin.kind !== "worktree") return changes;
  const judged = changes.filter(({ path, before }) => before !== null || path !== CONFIG_NAME);
  if (!judged.some(({ path, before }) => before === null && path.startsWith(IN_WORKSPACE))) return judged;
  // All that relais ships, which no other judgement needs.
  const { listWorkspaceTemplate } = await import("../workspace/workspace-template.ts");
  const own = new Set(listWorkspaceTemplate().map(({ name }) => `${IN_WORKSPACE}${name}`));
  return judged.filter(({ path, before }) => before !== null || !own.has(path));
}

const IN_WORKSPACE = `${DEFAULT_WORKSPACE}/`;
