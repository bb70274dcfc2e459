import type { Finding, Judgement } from "../../contract/evidence/judgement.ts";
import { describeBlastRadius } from "../../core/judge/blast-radius.ts";
import { describeCause } from "../../core/words/cause-words.ts";
import { findDecisiveHeadline } from "../../core/words/decisive-words.ts";
import { neutralise } from "../text/neutralise.ts";
import type { Style } from "../text/style.ts";

interface JudgementReport {
  readonly judgement: Judgement;
  /** What was compared with what. */
  readonly subject: string;
  /** Where the rules come from. */
  readonly rules: string;
}

interface JudgementTextOptions {
  readonly style: Style;
  /** How much to say: the headline of a refusal only, the usual, or every finding of however many. */
  readonly detail: "quiet" | "usual" | "all";
}

const FINDINGS_MAX = 20;
const NOTES_MAX = 5;
/** Not the meaning of the code, which speaks of checks as well: a judgement alone runs none. */
const PASSED = "All rules passed. Checks were not run.";

export function renderJudgement(report: JudgementReport, { style, detail }: JudgementTextOptions): string {
  const { judgement } = report;
  if (detail === "quiet") return judgement.verdict === "success" ? "" : `${renderHeadline(judgement, style)}\n`;
  const findings = cutList(judgement.findings, detail === "all" ? Number.POSITIVE_INFINITY : FINDINGS_MAX);
  const notes = cutList(judgement.notes, detail === "all" ? Number.POSITIVE_INFINITY : NOTES_MAX);
  const lines = [
    renderHeadline(judgement, style),
    describeBlastRadius(judgement.blast_radius),
    ...renderSection([
      ...findings.shown.flatMap((finding) => renderFinding(finding, style)),
      ...countHidden(findings.hidden, "findings"),
    ]),
    ...renderSection([
      ...notes.shown.map((note) => `Note: ${neutralise(note)}`),
      ...countHidden(notes.hidden, "notes"),
    ]),
    "",
    style("faint", `Judged: ${neutralise(report.subject)}.`),
    style("faint", `Rules: ${neutralise(report.rules)}.`),
    ...(judgement.verdict === "success" ? [] : [`Next: ${describeCause(judgement.code, judgement.cause).remedy}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function renderHeadline({ verdict, code, cause, findings }: Judgement, style: Style): string {
  if (verdict === "success") return `${style("good", "ok")} ${style("strong", code)}: ${PASSED}`;
  const reason = findDecisiveHeadline({ findings, findings_total: findings.length, runs: [] });
  const words = reason === null ? describeCause(code, cause).meaning : `${neutralise(reason)}.`;
  return `${style("bad", "stop")} ${style("strong", code)}: ${words}`;
}

function renderFinding({ subject, rule, glob }: Finding, style: Style): readonly string[] {
  const decided = glob === null ? "" : ` (glob ${neutralise(glob)})`;
  return [`  ${style("strong", neutralise(subject))}`, `    ${neutralise(rule)}${decided}`];
}

function cutList<T>(list: readonly T[], max: number): { readonly shown: readonly T[]; readonly hidden: number } {
  return { shown: list.slice(0, max), hidden: Math.max(0, list.length - max) };
}

function countHidden(hidden: number, what: string): readonly string[] {
  return hidden === 0 ? [] : [`  and ${hidden} more ${what}; see them with -v`];
}

function renderSection(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}
