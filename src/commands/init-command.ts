import { askYes } from "../terminal/decision-answer.ts";
import type { Keyboard, Session, CommandEnd, RunCommand } from "../terminal/command.ts";
import type { Initialised } from "../records/setup-answers.ts";
import { CODES } from "../base/codes.ts";
import { initialise, type InitOutcome } from "../setup/init.ts";
import { renderFailure } from "../cards/failure-text.ts";
import { renderInit, renderInitEnd, renderInitFindings } from "../cards/init-text.ts";
import { makeStep } from "../base/canvas.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import type { InitOptions } from "./init-spec.ts";

export function askCommit(
  paths: readonly string[],
  keyboard: Keyboard,
  session: Pick<Session, "out" | "signal">,
): Promise<boolean> {
  const [first = "", ...more] = paths;
  return askYes(`Commit ${more.length === 0 ? first : `${first} and ${more.length} more`} now?`, keyboard, session);
}

const CODE = "BLOCKED_MISSING_CONFIG";

export const runInit: RunCommand<InitOptions> = async ({ options }, session) => {
  const request = { ...session, commit: options.flag("commit"), full: options.flag("full") };
  const outcome = await initialise(request);
  if (outcome.kind === "refused") return printRefused(outcome, session);
  const { keyboard, json, detail } = session;
  const isSettled = request.commit || outcome.uncommitted.length === 0;
  if (keyboard === null || json || detail === "quiet" || isSettled) return printMade(outcome, request.commit, session);
  session.out(`${renderInitFindings(outcome, makeTextOptions(session))}\n`);
  const isCommitWanted = await askCommit(outcome.uncommitted, keyboard, session);
  const decided = isCommitWanted ? await initialise({ ...request, commit: true }) : outcome;
  return decided.kind === "refused" ? printRefused(decided, session) : printEnd(decided, isCommitWanted, session);
};

function makeTextOptions(session: Session) {
  return { style: session.style, columns: session.columns, isDetailed: session.detail === "all" };
}

type Refused = Extract<InitOutcome, { kind: "refused" }>;

function printRefused({ message, problems, written }: Refused, { json, out, err, prose }: Session): CommandEnd {
  const { verdict, exit } = CODES[CODE];
  const rest = written.map((path) => `${path} was written`);
  const next = "Next: fix that and run `relais init` again.";
  if (json) out(`${JSON.stringify({ verdict, code: CODE, message, problems, written })}\n`);
  else err(renderFailure({ code: CODE, message, problems: [...problems, ...rest], next }, prose));
  return { kind: "ended", status: exit };
}

function printMade(outcome: Initialised, isCommitWanted: boolean, session: Session): CommandEnd {
  const next = listNextSteps(outcome);
  const text = () => renderInit(outcome, { ...makeTextOptions(session), next, isCommitWanted });
  const end = printAnswer({ document: makeInitDocument(outcome), text }, session);
  return reportCommit(outcome, end, session);
}

/** After the question: everything above it is printed already. */
function printEnd(outcome: Initialised, isCommitWanted: boolean, session: Session): CommandEnd {
  const options = { ...makeTextOptions(session), next: listNextSteps(outcome), isCommitWanted };
  session.out(`\n${renderInitEnd(outcome, options)}`);
  return reportCommit(outcome, { kind: "ended", status: 0 }, session);
}

/** A commit that was asked for and not made is a failure, although the files are there. */
function reportCommit({ commit }: Initialised, end: CommandEnd, session: Session): CommandEnd {
  if (commit?.kind !== "refused") return end;
  const message = `The files are written, but git did not commit them: ${commit.reason}`;
  const failure = { code: null, message, problems: [], next: "Nothing new was staged." };
  if (!session.json) session.err(renderFailure(failure, session.prose));
  return { kind: "ended", status: CODES[CODE].exit };
}

/** What to do next, in the order in which it has to be done. */
function listNextSteps({ uncommitted, hasCommit, surroundings }: Initialised) {
  const { branch, canBuild } = surroundings;
  const needsCommit = !hasCommit || uncommitted.length > 0;
  const why = hasCommit
    ? "a tick needs a clean tree"
    : "a tick needs a commit and a clean tree; commit your own files too";
  return [
    ...(branch === null ? [makeStep("git switch -c work", "HEAD is detached: a tick needs a branch")] : []),
    ...(needsCommit ? [makeStep("relais init --commit", why)] : []),
    makeStep("relais doctor", "check that everything is ready"),
    canBuild
      ? makeStep('relais run "say what to change"', "one tick; the sentence is the task")
      : makeStep("relais judge", "judge your own change, without an agent"),
  ];
}

function makeInitDocument({ detection, surroundings, missing, ...outcome }: Initialised): object {
  return {
    ...makeDocument(outcome, ["root", "workspace", "files", "commit", "uncommitted", "hasCommit"]),
    found: detection?.found ?? [],
    templates: detection?.templates ?? null,
    allowed_globs: detection?.allowedGlobs ?? null,
    missing_programs: missing,
    languages: detection?.languages ?? null,
    branch: surroundings.branch,
    branch_protected: surroundings.isProtected,
    agents: surroundings.agents,
  };
}
