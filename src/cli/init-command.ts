import { relative } from "node:path";
import { CODES } from "../contract/codes.ts";
import { type Initialised, initialise, type InitOutcome } from "../run/init.ts";
import { failureText } from "../view/failure-text.ts";
import { initText } from "../view/init-text.ts";
import type { CommandEnd, RunCommand, Session } from "./command.ts";

const CODE = "BLOCKED_MISSING_CONFIG";

/** `relais init`. */
export const run: RunCommand = async ({ options }, session) => {
  const { cwd, signal } = session;
  const outcome = await initialise({ cwd, commit: options.flag("commit"), signal });
  if (session.json) session.out(`${JSON.stringify(initDocument(outcome))}\n`);
  else speak(outcome, session);
  return { kind: "ended", status: hasFailed(outcome) ? CODES[CODE].exit : 0 } satisfies CommandEnd;
};

/** A commit that was asked for and not made is a failure, although the files are there. */
function hasFailed(outcome: InitOutcome): boolean {
  return outcome.kind === "refused" || outcome.commit?.kind === "refused";
}

function speak(outcome: InitOutcome, { style, detail, cwd, out, err }: Session): void {
  if (outcome.kind === "refused") {
    const { message, problems, written } = outcome;
    const rest = written.map((path) => `${path} was written`);
    const next = "Next: mend that and run `relais init` again.";
    return err(failureText({ code: CODE, message, problems: [...problems, ...rest], next }, style));
  }
  if (detail !== "quiet") {
    const next = nextLines(outcome, cwd);
    const commit = outcome.commit?.kind === "committed" ? outcome.commit.commit : null;
    out(initText({ ...outcome, commit, next }, { style, isDetailed: detail === "all" }));
  }
  if (outcome.commit?.kind === "refused") {
    const message = `The files are written, but git did not commit them: ${outcome.commit.reason}`;
    err(failureText({ code: null, message, problems: [], next: "Nothing was staged." }, style));
  }
}

/** What to do next, in the order in which it has to be done. */
function nextLines({ root, workspace, files, commit, hasCommit }: Initialised, cwd: string) {
  const hasNew = files.some(({ state }) => state === "written");
  const places = ["relais.config.json", workspace].map((path) => relative(cwd, `${root}/${path}`) || ".");
  const add = `git add -- ${places.map(shellWord).join(" ")} && git commit -m "chore: set up relais"`;
  const needsCommit = !hasCommit || (hasNew && commit?.kind !== "committed");
  const why = hasCommit
    ? "keep it in git: a tick starts from a clean tree"
    : "a tick needs a commit to start from";
  return [
    ...(needsCommit ? [[add, why] as const] : []),
    ["relais doctor", "see whether everything is in place"] as const,
  ];
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
  const { root, workspace, detection, files, commit, hasCommit } = outcome;
  return {
    root,
    workspace,
    found: detection?.found ?? [],
    templates: detection?.templates ?? null,
    allowed_globs: detection?.allowedGlobs ?? null,
    files,
    commit,
    has_commit: hasCommit,
  };
}
