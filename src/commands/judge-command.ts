import { CODES } from "../base/codes.ts";
import { unreachable } from "../base/errors.ts";
import { judgeChange } from "../judge/judge-change.ts";
import type { JudgedHistory } from "../judge/judge-history.ts";
import type { JudgedSubject, JudgeOutcome, JudgeRequest, JudgeTarget, RulesOrigin } from "../judge/judge-rules.ts";
import { countKinds, countRules, countStandings, findStanding } from "../judge/pure/judged-rates.ts";
import { renderHistoryProgress, renderJudgedHistory } from "../cards/judged-history-text.ts";
import { splitSuspicions } from "../records/suspicions.ts";
import { renderJudgement } from "../cards/judgement-text.ts";
import { findGlobMistake } from "../terminal/choice-options.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { showProgressLine } from "../terminal/painter.ts";
import { printBlocked, printInterrupted } from "../terminal/refusal-answer.ts";
import { type CommandEnd, type Misused, refuseMisuse, type RunCommand, type Session } from "../terminal/command.ts";
import type { Options } from "../terminal/option-spec.ts";
import type { JudgeOptions } from "./judge-spec.ts";

export const runJudge: RunCommand<JudgeOptions> = async ({ options }, session) => {
  const parsed = parseJudgeOptions(options);
  if ("kind" in parsed) return parsed;
  const count = options.number("history");
  if (count === null)
    return printOutcome(await judgeChange({ ...session, ...parsed }), session, options.flag("strict"));
  const other = (["base", "range", "task", "allowed-signers"] as const).find((name) => options.text(name) !== null);
  if (other !== undefined || options.flag("staged") || parsed.proof !== null)
    return refuseMisuse(`--history judges commits: leave out --${other ?? "staged"}`);
  return printOutcome(await judgePast(count, parsed.flags, session), session);
};

/** Its code is loaded only where it is asked for. */
async function judgePast(count: number, flags: Judging["flags"], session: Session) {
  const { judgeHistory } = await import("../judge/judge-history.ts");
  const progress = { done: 0, all: count };
  const line =
    session.screen === null || session.isPlain || session.json || session.detail === "quiet"
      ? null
      : showProgressLine(session, session.screen, () => renderHistoryProgress(progress.done, progress.all));
  try {
    return await judgeHistory({
      ...session,
      count,
      flags,
      executable: session.relais[1],
      onProgress: (done, all) => {
        Object.assign(progress, { done, all });
        line?.redraw();
      },
    });
  } finally {
    line?.close();
  }
}

function printOutcome(outcome: JudgeOutcome | JudgedHistory, session: Session, isStrict = false): CommandEnd {
  switch (outcome.kind) {
    case "judged":
      return printJudged(outcome, session, isStrict);
    case "history":
      return printHistory(outcome, session);
    case "blocked":
      return printBlocked({ ...outcome, code: "BLOCKED_MISSING_CONFIG" }, session);
    case "unmeasured": {
      const message = `${outcome.what} could not be measured: ${outcome.detail}`;
      return printInterrupted("measurement_failed", message, session);
    }
    case "misused":
      return outcome;
    default:
      return unreachable(outcome);
  }
}

/** Lists are never cut in the document. */
function printJudged(
  judged: Extract<JudgeOutcome, { kind: "judged" }>,
  session: Session,
  isStrict: boolean,
): CommandEnd {
  const { subject, origin, rules, changes } = judged;
  const judgement = splitSuspicions(judged.judgement, isStrict);
  const { kind, base, otherBases, head } = subject;
  const document = {
    ...judgement,
    message: null,
    problems: [],
    subject: { kind, base, other_bases: otherBases, head },
    rules_from: origin,
    rules,
    touched_paths: changes.map(({ path }) => path),
  };
  const words = { judgement, subject: describeSubject(subject), rules: describeRules(origin) };
  const status = CODES[judgement.code].exit;
  return printAnswer(
    { document, text: () => renderJudgement(words, { ...session.prose, detail: session.detail }), status },
    session,
  );
}

function printHistory(history: JudgedHistory, session: Session): CommandEnd {
  const { commits, merges, unjudged, head, origin, rules, settings, diff } = history;
  const document = {
    message: null,
    problems: [],
    head,
    rules_from: origin,
    rules,
    merges,
    standings: countStandings(commits),
    rates: countRules(commits),
    kinds: countKinds(commits),
    commits: commits.map((commit) => ({ ...commit, standing: findStanding(commit) })),
    unjudged,
    proposed: { settings, diff },
  };
  const report = { ...history, rules: describeRules(origin).replace(/^built in/u, "the built-in rules") };
  const text = () => renderJudgedHistory(report, { ...session.prose, isWhole: session.detail === "all" });
  return printAnswer({ document, text, isAsked: true }, session);
}

type Judging = Pick<JudgeRequest, "target" | "taskFile" | "flags" | "proof">;

/** Reads what `relais judge` is to compare and by which rules of the moment. */
function parseJudgeOptions(options: Options<JudgeOptions>): Judging | Misused {
  const target = parseTarget(options);
  if (target.kind === "misused") return target;
  const maxFiles = options.number("max-files");
  const maxLines = options.number("max-lines");
  const allow = options.list("allow");
  const forbid = options.list("forbid");
  const only = options.list("only");
  const mistake = findGlobMistake([...allow, ...only, ...forbid]);
  if (mistake !== null) return mistake;
  const flags = { scope: { allow, only }, forbid, maxFiles, maxLines, noNewFiles: options.flag("no-new-files") };
  const proof = parseProof(options, target);
  if (proof !== null && "kind" in proof) return proof;
  return { target, taskFile: options.text("task"), flags, proof };
}

function parseProof(options: Options<JudgeOptions>, { kind }: JudgeTarget): JudgeRequest["proof"] | Misused {
  const signersFile = options.text("allowed-signers");
  if (!options.flag("require-proof"))
    return signersFile === null ? null : refuseMisuse("--allowed-signers needs --require-proof");
  return kind === "range" ? { signersFile } : refuseMisuse("--require-proof needs --range: only commits carry proofs");
}

function parseTarget(options: Options<JudgeOptions>): JudgeTarget | Misused {
  const range = options.text("range");
  const base = options.text("base");
  const isStaged = options.flag("staged");
  if (range === null) return { kind: isStaged ? "staged" : "worktree", base: base ?? "HEAD" };
  if (base !== null) return refuseMisuse("--range has its own base: leave out --base");
  if (isStaged) return refuseMisuse("--range and --staged exclude each other");
  return parseRange(range);
}

/** `A..B`, `A...B`, `A..` and `..B`; a side that is left out is HEAD, as in git. */
function parseRange(text: string): JudgeTarget | Misused {
  const found = /^(?<from>(?:(?!\.\.).)*?)\.{2,3}(?<to>(?:(?!\.\.).)*)$/su.exec(text)?.groups;
  const { from = "", to = "" } = found ?? {};
  if (found === undefined || (from === "" && to === ""))
    return refuseMisuse(`"${text}" is not a range; write it as A..B`);
  return { kind: "range", from: from === "" ? "HEAD" : from, to: to === "" ? "HEAD" : to };
}

const shortenId = (id: string) => id.slice(0, 12);

function describeSubject({ kind, base, otherBases, head }: JudgedSubject): string {
  switch (kind) {
    case "worktree":
      return `the working tree against ${shortenId(base)}`;
    case "staged":
      return `the staged changes against ${shortenId(base)}`;
    case "range":
      return `${[base, ...otherBases].map(shortenId).join(" and ")}..${shortenId(head ?? "")}`;
    default:
      return unreachable(kind);
  }
}

function describeRules(origin: RulesOrigin): string {
  switch (origin.kind) {
    case "base":
      return `relais.config.json as of commit ${shortenId(origin.commit)}`;
    case "worktree":
      return "relais.config.json on disk, because HEAD has none, and the default protection";
    case "built-in":
      return origin.commit === null
        ? "built in, because there is no relais.config.json"
        : `built in, because commit ${shortenId(origin.commit)} has no relais.config.json`;
    default:
      return unreachable(origin);
  }
}
