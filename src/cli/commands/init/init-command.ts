import { relative } from "node:path";
import { CODES } from "../../../contract/values/codes.ts";
import { type Initialised, initialise, type InitOutcome } from "../../../run/init/init.ts";
import { renderFailure } from "../../../view/cards/failure-text.ts";
import { renderInit } from "../../../view/setup/init-text.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import type { InitOptions } from "./init-spec.ts";

const CODE = "BLOCKED_MISSING_CONFIG";

/** `relais init`. */
export const runInit: RunCommand<InitOptions> = async ({ options }, session) => {
  const { cwd, environment, signal } = session;
  const outcome = await initialise({ cwd, environment, commit: options.flag("commit"), signal });
  if (session.json) session.out(`${JSON.stringify(initDocument(outcome))}\n`);
  else speak(outcome, { ...session, isCommitWanted: options.flag("commit") });
  return { kind: "ended", status: hasFailed(outcome) ? CODES[CODE].exit : 0 } satisfies CommandEnd;
};

/** A commit that was asked for and not made is a failure, although the files are there. */
function hasFailed(outcome: InitOutcome): boolean {
  return outcome.kind === "refused" || outcome.commit?.kind === "refused";
}

interface Speaking extends Session {
  readonly isCommitWanted: boolean;
}

function speak(outcome: InitOutcome, { style, columns, detail, cwd, out, err, isCommitWanted }: Speaking): void {
  if (outcome.kind === "refused") {
    const { message, problems, written } = outcome;
    const rest = written.map((path) => `${path} was written`);
    const next = "Next: fix that and run `relais init` again.";
    return err(renderFailure({ code: CODE, message, problems: [...problems, ...rest], next }, style));
  }
  if (detail !== "quiet") {
    const next = nextLines(outcome, cwd);
    const made = outcome.commit?.kind === "committed" ? outcome.commit.commit : null;
    const isAll = isCommitWanted && outcome.commit === null;
    const commit = isAll ? "nothing: these files are committed already; commit your own edits yourself" : made;
    out(renderInit({ ...outcome, commit, next }, { style, columns, isDetailed: detail === "all" }));
  }
  if (outcome.commit?.kind === "refused") {
    const message = `The files are written, but git did not commit them: ${outcome.commit.reason}`;
    err(renderFailure({ code: null, message, problems: [], next: "Nothing new was staged." }, style));
  }
}

/** What to do next, in the order in which it has to be done. */
function nextLines(outcome: Initialised, cwd: string) {
  const { root, workspace, uncommitted, hasCommit, surroundings } = outcome;
  const places = ["relais.config.json", workspace].map((path) => relative(cwd, `${root}/${path}`) || ".");
  const add = `git add -- ${places.map(shellWord).join(" ")} && git commit -m "chore: set up relais"`;
  const needsCommit = !hasCommit || uncommitted.length > 0;
  const why = hasCommit
    ? "commit them: a tick needs a clean tree"
    : "a tick needs a commit and a clean tree; add your own files too";
  return [
    ...(surroundings.branch === null
      ? [{ command: "git switch -c work", explains: "HEAD is detached: a tick needs a branch" }]
      : []),
    ...(needsCommit ? [{ command: add, explains: why }] : []),
    { command: "relais doctor", explains: "check that everything is ready" },
    firstUse(outcome),
  ];
}

/** What can be done first with what there is. */
function firstUse({ workspace, surroundings: { canBuild, canPlan } }: Initialised) {
  if (!canBuild) return { command: "relais judge", explains: "judge your own change, without an agent" };
  if (!canPlan) return { command: "relais run --task FILE", explains: "one tick with your own task" };
  const goal = `${workspace}/GOAL.md`;
  return {
    command: "relais run",
    explains: `one tick, after you describe the goal in ${goal} and commit it`,
  };
}

/** As a shell takes it literally. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function initDocument(outcome: InitOutcome): object {
  if (outcome.kind === "refused") {
    const { message, problems, written } = outcome;
    return { verdict: "blocked", code: CODE, message, problems, written };
  }
  const { root, workspace, detection, files, commit, uncommitted, hasCommit, missing, surroundings } = outcome;
  return {
    root,
    workspace,
    found: detection?.found ?? [],
    templates: detection?.templates ?? null,
    allowed_globs: detection?.allowedGlobs ?? null,
    files,
    commit,
    uncommitted,
    has_commit: hasCommit,
    missing_programs: missing,
    languages: detection?.languages ?? null,
    branch: surroundings.branch,
    branch_protected: surroundings.isProtected,
    agents: surroundings.agents,
  };
}
