/** Lands the results of jobs: fetched, put on top of HEAD, judged and checked there; what does not fit goes back once. */
import { join } from "node:path";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { JournalLine } from "../records/event.ts";
import type { Engine, JobView } from "../queue/pure/engine.ts";
import { listTickRecords } from "../tick/pure/tick-records.ts";
import { findBuilding, findSettled } from "../tick/pure/tick-facts.ts";
import { splitArguments } from "../queue/pure/job-arguments.ts";
import { nameSecondJob, planSecondJob } from "../queue/pure/job-row.ts";
import { makeGuardCheck } from "../workflows/pure/tree-work.ts";
import { describeCheckEnd, isGreenRun } from "../tick/pure/decisive-words.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { isFile } from "../system/read-files.ts";
import { readHead } from "../git/head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readJournal } from "../journal/read-journal.ts";
import { type LandAnswer, landChange, type LandRequest } from "../landing/land-change.ts";
import type { LandingTerms } from "../landing/landing-task.ts";
import type { TreeLanding } from "../landing/tree-landing.ts";
import { findGuard } from "../checks/find-guard.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { WorkspaceRequest } from "../workspace/workspace.ts";
import { JOB_FILES } from "./collect-job.ts";
import { fetchJob } from "./fetch-job.ts";
import { nameJobBranch } from "./job-workspace.ts";

/** Among the files of a fetched job: everything of it was in HEAD once, so a later conflict is none of it. */
const LANDED = "landed";

/** The jobs of this repository that ended well and have not landed, in the order of their end. */
export async function listWaitingJobs(
  request: WorkspaceRequest,
  engine: Pick<Engine, "jobs">,
): Promise<readonly JobView[] | CommandFailure> {
  const views = await engine.jobs();
  return withSnapshot(request, ({ repository, lines, stateDirectory }) => {
    const landed = listLanded(lines);
    const isThere = ({ id }: JobView): boolean => isFile(join(stateDirectory, "jobs", id, LANDED));
    const isBack = ({ id }: JobView): boolean => views.some((other) => other.id === nameSecondJob(id));
    return views
      .filter((view) => view.phase === "done" && view.result?.branch != null && isHere(view, repository))
      .filter((view) => !landed.has(nameJobBranch(view.id)) && !isThere(view) && !isBack(view))
      .toSorted((one, other) => ((one.endedAt ?? "") < (other.endedAt ?? "") ? -1 : 1));
  });
}

function listLanded(lines: readonly JournalLine[]): ReadonlySet<string> {
  const kept = listTickRecords(lines).filter(({ state }) => findSettled(state)?.commit != null);
  return new Set(kept.flatMap(({ state }) => findBuilding(state)?.landed?.name ?? []));
}

function isHere({ spec }: JobView, { root, commonDir }: Repository): boolean {
  if (spec.repository.kind === "url") return false;
  return spec.repository.path === root || spec.key.startsWith(`${commonDir}#`);
}

interface LandJobRequest extends Omit<LandRequest, "source"> {
  readonly engine: Pick<Engine, "readAttachment" | "readSpec" | "submit">;
  readonly view: JobView;
}

export async function landJob(request: LandJobRequest): Promise<LandAnswer> {
  const { view } = request;
  const fetched = await fetchJob(request);
  if (fetched.kind !== "fetched") return fetched;
  if (fetched.branch === null)
    return refuse({
      cause: "nothing_committed",
      message: `The job ${view.id} has no commits.`,
      next: `See \`relais queue show ${view.id}\`.`,
    });
  const answer = await landFetched(request, fetched.folder);
  if (answer.kind === "refused" && answer.cause === "landed_already")
    await writeAtomic(join(fetched.folder, LANDED), "", { mode: 0o600 });
  if (answer.kind !== "conflict" && answer.kind !== "ended") return answer;
  const reason = explainReturn(view, answer);
  return reason === null ? answer : { ...answer, again: await sendBack(request, reason) };
}

async function landFetched(request: LandJobRequest, folder: string): Promise<LandAnswer> {
  const { view } = request;
  const name = nameJobBranch(view.id);
  const tree = view.spec.command === "tree" ? await openTree(request, folder) : null;
  if (tree !== null && "kind" in tree) return tree;
  const source = { kind: "range", name, revision: `refs/heads/${name}` } as const;
  const terms = readTerms(view, request.terms);
  return landChange({ ...request, source, terms, ...(tree === null ? {} : { tree }) });
}

const RED_LINES = 40;

/** Null where another session would not help: it landed, a rule stopped it, or it had failed before. */
function explainReturn({ phase }: JobView, answer: Extract<LandAnswer, { kind: "conflict" | "ended" }>): string | null {
  if (answer.kind === "conflict")
    return `It conflicts with newer commits in ${answer.paths.join(", ")}. "here" is what the newer commits have, "the change" is what was done before:

${answer.text}`;
  if (phase !== "done" || answer.report.verdict !== "stop") return null;
  const red = answer.report.verification.runs.find((run) => !isGreenRun(run));
  if (red === undefined) return null;
  const lines = (red.last_lines ?? []).slice(-RED_LINES).join("\n");
  return `On top of newer commits, the check ${red.template_id} ${describeCheckEnd(red)}:\n\n${lines}`;
}

/** Each iteration of a tree commits the tree, too; what the job's journal proves of it lands. */
function openTree(request: WorkspaceRequest, folder: string): Promise<TreeLanding | CommandFailure> {
  return withSnapshot(request, async ({ config, repository }) => {
    const guard = await findGuard({ config, repository }, request);
    if ("kind" in guard) return guard;
    const journal = await readJournal(join(folder, JOB_FILES.journal));
    const lines = journal.kind === "read" ? journal.lines : [];
    return { workspace: config.workspace_dir, lines, guard: makeGuardCheck({ ...config.tree, guard }) };
  });
}

/** The options of the job, unless the person says otherwise now. */
function readTerms({ spec }: JobView, { choices, wishes }: LandingTerms): LandingTerms {
  const { options } = splitArguments(spec.arguments);
  const list = (name: string) =>
    options.flatMap((option) => (option.startsWith(`--${name}=`) ? [option.slice(name.length + 3)] : []));
  const given = {
    only: list("only"),
    checks: list("check"),
    max_lines: list("max-lines").map(Number)[0],
    new_files: options.includes("--no-new-files") ? false : options.includes("--new-files") || undefined,
  };
  const allow = [...(choices.allow ?? []), ...list("allow")];
  const own = Object.entries({ ...given, allow }).filter(([, value]) => value !== undefined && !isEmpty(value));
  return {
    choices: { ...Object.fromEntries(own), ...choices, ...(allow.length === 0 ? {} : { allow }) },
    command: spec.command,
    wishes: { ...wishes, updateTests: [...wishes.updateTests, ...list("update-tests")] },
  };
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The name of the new job; null where a person must decide. The same name twice is one job. */
async function sendBack(request: LandJobRequest, reason: string): Promise<string | null> {
  const { engine, view } = request;
  const id = nameSecondJob(view.id);
  const first = await engine.readSpec(view.id);
  const head = await withSnapshot(request, ({ repository }) => readHead(repository));
  if (id === null || first === null || "kind" in head || head.commit === null) return null;
  const base = { commit: head.commit, branch: view.spec.base.branch };
  const spec = planSecondJob(first, { reason, base });
  return spec === null ? null : engine.submit(spec, { ...view.terms, not_before: null, after: [], every: null }, id);
}
