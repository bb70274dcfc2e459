import type { Initialised } from "../../../contract/answers/initialised.ts";
import { relative } from "node:path";
import { CODES } from "../../../contract/values/codes.ts";
import { initialise, type InitOutcome } from "../../../run/init/init.ts";
import { renderFailure } from "../../../view/cards/failure-text.ts";
import { renderInit } from "../../../view/setup/init-text.ts";
import { makeStep } from "../../../view/text/canvas.ts";
import { writeShellWord } from "../../../view/text/shell-word.ts";
import { makeDocument, printAnswer } from "../../answers/print-answer.ts";
import type { CommandEnd, RunCommand, Session } from "../../framework/command.ts";
import type { InitOptions } from "./init-spec.ts";

const CODE = "BLOCKED_MISSING_CONFIG";

export const runInit: RunCommand<InitOptions> = async ({ options }, session) => {
  const isCommitWanted = options.flag("commit");
  const outcome = await initialise({ ...session, commit: isCommitWanted });
  return outcome.kind === "refused" ? printRefused(outcome, session) : printMade(outcome, isCommitWanted, session);
};

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
  const next = listNextSteps(outcome, session.cwd);
  const text = () => renderInit(outcome, { ...session, isDetailed: session.detail === "all", next, isCommitWanted });
  const end = printAnswer({ document: makeInitDocument(outcome), text }, session);
  if (outcome.commit?.kind !== "refused") return end;
  // A commit that was asked for and not made is a failure, although the files are there.
  const message = `The files are written, but git did not commit them: ${outcome.commit.reason}`;
  const failure = { code: null, message, problems: [], next: "Nothing new was staged." };
  if (!session.json) session.err(renderFailure(failure, session.prose));
  return { kind: "ended", status: CODES[CODE].exit };
}

/** What to do next, in the order in which it has to be done. */
function listNextSteps(outcome: Initialised, cwd: string) {
  const { root, workspace, uncommitted, hasCommit, surroundings } = outcome;
  const places = ["relais.config.json", workspace].map((path) => relative(cwd, `${root}/${path}`) || ".");
  const add = `git add -- ${places.map(writeShellWord).join(" ")} && git commit -m "chore: set up relais"`;
  const needsCommit = !hasCommit || uncommitted.length > 0;
  const why = hasCommit
    ? "commit them: a tick needs a clean tree"
    : "a tick needs a commit and a clean tree; add your own files too";
  return [
    ...(surroundings.branch === null
      ? [makeStep("git switch -c work", "HEAD is detached: a tick needs a branch")]
      : []),
    ...(needsCommit ? [makeStep(add, why)] : []),
    makeStep("relais doctor", "check that everything is ready"),
    suggestFirstUse(outcome),
  ];
}

function suggestFirstUse({ workspace, surroundings: { canBuild, canPlan } }: Initialised) {
  if (!canBuild) return makeStep("relais judge", "judge your own change, without an agent");
  if (!canPlan) return makeStep("relais run --task FILE", "one tick with your own task");
  return makeStep("relais run", `one tick, after you describe the goal in ${workspace}/GOAL.md and commit it`);
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
