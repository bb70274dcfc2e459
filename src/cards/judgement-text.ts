import type { Finding, Judgement } from "../records/judgement.ts";
import { describeBlastRadius } from "../judge/pure/blast-radius.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { findDecisiveHeadline } from "../tick/pure/decisive-words.ts";
import { type Canvas, renderHeaded, renderIndented, renderParagraph, VERBOSE_HINT } from "../base/canvas.ts";
import { neutralise } from "../base/neutralise.ts";

interface JudgementReport {
  readonly judgement: Judgement;
  /** What was compared with what. */
  readonly subject: string;
  /** Where the rules come from. */
  readonly rules: string;
}

interface JudgementTextOptions extends Canvas {
  /** How much to say: the headline of a refusal only, the usual, or every finding of however many. */
  readonly detail: "quiet" | "usual" | "all";
}

const FINDINGS_MAX = 20;
const NOTES_MAX = 5;
/** Not the meaning of the code, which speaks of checks as well: a judgement alone runs none. */
const PASSED = "All rules passed. Checks were not run.";

export function renderJudgement(report: JudgementReport, options: JudgementTextOptions): string {
  const { judgement } = report;
  const { detail } = options;
  const isPassed = judgement.verdict === "success";
  const headline = renderHeadline(report, options);
  if (detail === "quiet") return isPassed ? "" : `${headline.join("\n")}\n`;
  const cut = <T>(list: readonly T[], max: number) => list.slice(0, detail === "all" ? Infinity : max);
  const findings = cut(judgement.findings, FINDINGS_MAX);
  const notes = cut(judgement.notes, NOTES_MAX);
  const faint = (text: string) => renderParagraph(text, options).map((line) => options.style("faint", line));
  const remedy = `Next: ${describeCause(judgement.code, judgement.cause).remedy}`;
  const lines = [
    ...headline,
    describeBlastRadius(judgement.blast_radius),
    ...(findings.length === 0 ? [] : [""]),
    ...findings.flatMap((finding) => renderFinding(finding, options)),
    ...countHidden(judgement.findings.length - findings.length, "findings"),
    ...(notes.length === 0 ? [] : [""]),
    ...notes.flatMap((note) => renderParagraph(`Note: ${neutralise(note)}`, options)),
    ...countHidden(judgement.notes.length - notes.length, "notes"),
    "",
    ...faint(`Judged: ${neutralise(report.subject)}.`),
    ...faint(`Rules: ${neutralise(report.rules)}.`),
    ...(isPassed ? [] : renderParagraph(remedy, options)),
  ];
  return `${lines.join("\n")}\n`;
}

function renderHeadline({ judgement }: JudgementReport, canvas: Canvas): readonly string[] {
  const { verdict, code, cause, findings } = judgement;
  const { style } = canvas;
  const isPassed = verdict === "success";
  const reason = findDecisiveHeadline({ findings, findings_total: findings.length, runs: [] });
  const why = reason === null ? describeCause(code, cause).meaning : `${neutralise(reason)}.`;
  const word = isPassed ? "ok" : "stop";
  const dressed = `${style(isPassed ? "good" : "bad", word)} ${style("strong", code)}:`;
  return renderHeaded({ head: `${word} ${code}:`, dressed, text: isPassed ? PASSED : why }, canvas);
}

function renderFinding({ subject, rule, glob }: Finding, canvas: Canvas): readonly string[] {
  const decided = glob === null ? "" : ` (glob ${neutralise(glob)})`;
  return [
    `  ${canvas.style("strong", neutralise(subject))}`,
    ...renderIndented(`${neutralise(rule)}${decided}`, 4, canvas),
  ];
}

function countHidden(hidden: number, what: string): readonly string[] {
  return hidden === 0 ? [] : [`  and ${hidden} more ${what}${VERBOSE_HINT}`];
}
