import { isAbsolute, resolve } from "node:path";
import { unreachable, MeasurementError } from "../base/errors.ts";
import { type Config, CONFIG_NAME } from "../config/config.ts";
import { parseWith } from "../base/schema-error.ts";
import { Task } from "../records/task.ts";
import { findGlobProblems } from "../checks/pure/config-problems.ts";
import { parseDocument } from "../base/strict-json.ts";
import { readBounded } from "../system/bounded-file.ts";
import type { Repository } from "../git/repository-layout.ts";
import { type ConfigText, parseConfigText, readConfigFile } from "../workspace/config-file.ts";
import type { CommittedFile } from "./judge-content.ts";
import {
  type JudgedSubject,
  type RulesOrigin,
  type ScopedTask,
  type JudgeTarget,
  type JudgeOutcome,
  type JudgeRequest,
  makeJudgeRules,
} from "./judge-rules.ts";
import { findCommit } from "../git/find-commit.ts";
import { type GitAnswer, runGit } from "../git/git.ts";
import { readHead } from "../git/head.ts";
import { DEFAULT_WORKSPACE } from "../config/workspace-path.ts";
import type { Change, Evidence } from "../records/evidence.ts";
import type { Judgement } from "../records/judgement.ts";
import { RECORD_VERSION } from "../base/record-version.ts";
import { judge } from "./pure/judge.ts";
import { readErrorCode } from "../system/read-files.ts";
import { type FilterSettings, readFilterSettings } from "../git/filter-settings.ts";
import { isGitProgram } from "../git/git-version.ts";
import { refuseNotReady } from "../records/command-failure.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import { measure } from "./judge-measure.ts";
import type { addProof } from "./require-proof.ts";
import { reportMisuse } from "../workspace/misuse.ts";
import { isTypedByPerson } from "../workspace/own-environment.ts";

interface UnusableDocument {
  readonly kind: "unusable";
  readonly message: string;
  readonly problems: readonly string[];
}

type ConfigRead =
  { readonly kind: "config"; readonly config: Config | null; readonly origin: RulesOrigin } | UnusableDocument;
type TaskRead = { readonly kind: "task"; readonly task: ScopedTask } | UnusableDocument;

const DOCUMENT_BYTES_MAX = 1024 * 1024;

/** A missing configuration is no mistake. */
export async function readConfig(
  repository: Repository,
  rules: JudgedSubject["rules"],
  committed: CommittedFile,
): Promise<ConfigRead> {
  const name = `${CONFIG_NAME} of commit ${rules.commit.slice(0, 12)}`;
  switch (committed.kind) {
    case "file":
      return addOrigin(parseConfigText(committed.content, name), { kind: "base", commit: rules.commit });
    case "unusable":
      return refuseDocument(`${name} cannot be used: ${committed.reason}.`);
    case "absent":
      return rules.mayBeOnDisk ? readConfigOnDisk(repository) : useBuiltIn(rules.commit);
    default:
      return unreachable(committed);
  }
}

async function readConfigOnDisk(repository: Repository): Promise<ConfigRead> {
  const file = await readConfigFile(repository.root);
  return file.kind === "missing" ? useBuiltIn(null) : addOrigin(file, { kind: "worktree" });
}

function useBuiltIn(commit: string | null): ConfigRead {
  return { kind: "config", config: null, origin: { kind: "built-in", commit } };
}

function addOrigin(file: ConfigText, origin: RulesOrigin): ConfigRead {
  return file.kind === "config"
    ? { kind: "config", config: file.config, origin }
    : refuseDocument(file.message, file.problems);
}

/** Reads the task that narrows the rules; the path is relative to `cwd`. */
export async function readTask(file: string, cwd: string): Promise<TaskRead> {
  const path = isAbsolute(file) ? file : resolve(cwd, file);
  const read = await readBounded(path, DOCUMENT_BYTES_MAX);
  if (read.kind === "missing") return refuseDocument(`The task file ${file} does not exist.`);
  if (read.kind === "refused") return refuseDocument(`The task file ${file} cannot be used: ${read.reason}.`);
  const document = parseDocument(read.data);
  if (document.kind === "broken") return refuseDocument(`The task file ${file} ${document.problem}.`);
  const parsed = parseWith(Task, document.value);
  if (parsed.kind === "invalid") {
    return refuseDocument(
      `The task file ${file} is not a valid task.`,
      parsed.problems.map(({ message }) => message),
    );
  }
  if ("control" in parsed.value && parsed.value.control !== undefined) {
    return refuseDocument(`The task file ${file} only controls a series; it has no rules for a change.`);
  }
  const globs = listTaskGlobProblems(parsed.value);
  if (globs.length > 0) return refuseDocument(`The task file ${file} is not a valid task.`, globs);
  return { kind: "task", task: parsed.value };
}

function listTaskGlobProblems({ scope }: ScopedTask): readonly string[] {
  return [
    ...findGlobProblems("scope.allowed_globs", scope?.allowed_globs ?? []),
    ...findGlobProblems("scope.forbidden_globs", scope?.forbidden_globs ?? []),
  ];
}

function refuseDocument(message: string, problems: readonly string[] = []): UnusableDocument {
  return { kind: "unusable", message, problems };
}

/**
 * Which commits a judgement is about.
 *
 * A range is compared with the commit where its sides parted, but judged by the rules that the end of `A` has: a branch
 * that parted before a rule was made would escape it otherwise. Histories that were merged into each other both ways
 * have parted in more than one place, and all of them are named.
 */

export type ResolvedTarget =
  | { readonly kind: "resolved"; readonly subject: JudgedSubject }
  /** The branch has no commit yet. */
  | { readonly kind: "unborn" }
  | { readonly kind: "unknown"; readonly message: string };

interface RevisionSources {
  readonly repository: Repository;
  readonly signal: AbortSignal | undefined;
}

interface Range {
  readonly from: string;
  readonly to: string;
}

const LINES = /^(?:[0-9a-f]{40,64}\n){2}(?:\^[0-9a-f]{40,64}\n)*$/;
const ANSWER_BYTES_MAX = 64 * 1024;

/** Resolved once, so that a ref that moves meanwhile changes nothing. */
export async function resolveTarget(target: JudgeTarget, asked: RevisionSources): Promise<ResolvedTarget> {
  if (target.kind === "range") return resolveRange(target, asked);
  const isHead = target.base === "HEAD";
  const base = isHead ? (await readHead(asked.repository, asked.signal)).commit : await findCommit(target.base, asked);
  if (base === null) return isHead ? { kind: "unborn" } : refuseNoCommit(target.base);
  // Against an older commit, what lies on the disk may be part of what is to be judged.
  const mayBeOnDisk = target.kind === "worktree" && isHead;
  const rules = { commit: base, mayBeOnDisk };
  return { kind: "resolved", subject: { kind: target.kind, base, otherBases: [], head: null, rules } };
}

async function resolveRange(range: Range, asked: RevisionSources): Promise<ResolvedTarget> {
  const wrong = [range.from, range.to].find((revision) => /^[-^]|^$|\0/.test(revision));
  if (wrong !== undefined) return refuseNoCommit(wrong);
  const { status, stdout, stderr } = await askRange(range, asked);
  const answer = stdout.toString("latin1");
  if (status !== 0 || !LINES.test(answer)) return explainUnknownRange(range, { ...asked, stderr: stderr });
  const [head = "", from = "", base, ...otherBases] = answer.match(/[0-9a-f]+/g) ?? [];
  if (base === undefined) {
    const message = `${quote(range.from)} and ${quote(range.to)} have no common history here; in a shallow clone, fetch more commits.`;
    return { kind: "unknown", message };
  }
  const rules = { commit: from, mayBeOnDisk: false };
  return { kind: "resolved", subject: { kind: "range", base, otherBases, head, rules } };
}

/** One process answers with the end, the start and, marked with `^`, where they parted. */
function askRange({ from, to }: Range, { repository, signal }: RevisionSources): Promise<GitAnswer> {
  return runGit({
    args: ["rev-parse", `${from}...${to}`],
    cwd: repository.root,
    environment: repository.environment,
    gitDir: repository.gitDir,
    workTree: repository.root,
    okStatuses: [0, 1, 128],
    outputBytesMax: ANSWER_BYTES_MAX,
    signal,
  });
}

async function explainUnknownRange(
  range: Range,
  asked: RevisionSources & { readonly stderr: string },
): Promise<ResolvedTarget> {
  for (const revision of [range.from, range.to]) {
    if ((await findCommit(revision, asked)) === null) return refuseNoCommit(revision);
  }
  const name = quote(`${range.from}..${range.to}`);
  if (asked.stderr !== "") throw new MeasurementError(`the range ${name}`, asked.stderr);
  return { kind: "unknown", message: `${name} is not a range of commits.` };
}

function refuseNoCommit(revision: string): ResolvedTarget {
  return { kind: "unknown", message: `There is no commit ${quote(revision)} in this repository.` };
}

function quote(text: string): string {
  return `"${text}"`;
}

/**
 * `relais judge`: one judgement, without an agent, a tick or a workspace.
 *
 * The request and the repository are checked before anything is measured. A failed
 * measurement ends here as an outcome of its own and never as a judgement.
 */

export function judgeChange(request: JudgeRequest): Promise<JudgeOutcome> {
  return answerUnmeasured(() => judgeInRepository(request));
}

export async function answerUnmeasured(judgeIt: () => Promise<JudgeOutcome>): Promise<JudgeOutcome> {
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

export async function judgeMeasured(
  { request, repository, task, settings }: JudgeSources & { readonly settings: Promise<FilterSettings> | undefined },
  subject: JudgedSubject,
): Promise<JudgeOutcome> {
  const { decided, ...measured } = await measure({
    repository,
    subject,
    signal: request.signal,
    settings,
    remembered: request.remembered,
    decide: async (committed) => {
      const read = await readConfig(repository, subject.rules, committed);
      if (read.kind === "unusable") return { rules: null, read };
      const { config, origin } = read;
      const isTyped = isTypedByPerson(request.environment);
      return { rules: makeJudgeRules({ origin, config, task, flags: request.flags, isTyped }), origin, config };
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
    changes,
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
