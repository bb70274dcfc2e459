import type { Finding, Judgement } from "../records/judgement.ts";
import { HELD } from "../records/suspicions.ts";
import { describeBlastRadius } from "../judge/pure/blast-radius.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { findDecisiveHeadline } from "../tick/pure/decisive-words.ts";
import { type Canvas, renderHeaded, renderIndented, renderParagraph, VERBOSE_HINT } from "../base/canvas.ts";
import { neutralise, type Style, type Tone } from "../base/style.ts";
import type { DryCaps, DryRun, PlanDryRun } from "../records/dry-run.ts";
import { countNoun, formatDollars } from "../base/words.ts";
import { renderFailure } from "./failure-text.ts";
import { listPatchFiles, listPatchLines, type PatchLine } from "../judge/pure/patch-files.ts";

interface JudgementReport {
  readonly judgement: Judgement & { readonly suspicions: readonly Finding[] };
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

/** No tick has run, so there is nothing to accept. */
const ALLOW =
  "Look at the named places. What is wanted, a task allows (`allows`), or verification.rules in relais.config.json.";

export function renderJudgement(report: JudgementReport, options: JudgementTextOptions): string {
  const { judgement } = report;
  const { detail } = options;
  const isPassed = judgement.verdict === "success";
  const headline = renderHeadline(report, options);
  if (detail === "quiet") return isPassed ? "" : `${headline.join("\n")}\n`;
  const cut = <T>(list: readonly T[], max: number) => list.slice(0, detail === "all" ? Infinity : max);
  const findings = cut(judgement.findings, FINDINGS_MAX);
  const suspicions = cut(judgement.suspicions, FINDINGS_MAX);
  const notes = cut(judgement.notes, NOTES_MAX);
  const faint = (text: string) => renderParagraph(text, options).map((line) => options.style("faint", line));
  const { code, cause } = judgement;
  const remedy = `Next: ${code === HELD ? ALLOW : describeCause(code, cause).remedy}`;
  const lines = [
    ...headline,
    describeBlastRadius(judgement.blast_radius),
    ...(findings.length === 0 ? [] : [""]),
    ...findings.flatMap((finding) => renderFinding(finding, options)),
    ...countHidden(judgement.findings.length - findings.length, "findings"),
    ...(suspicions.length === 0 ? [] : [""]),
    ...suspicions.flatMap((finding) => renderFinding(finding, options, "Warning: ")),
    ...countHidden(judgement.suspicions.length - suspicions.length, "warnings"),
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
  const { verdict, code, cause, suspicions } = judgement;
  const findings = [...judgement.findings, ...(code === HELD ? suspicions : [])];
  const { style } = canvas;
  const isPassed = verdict === "success";
  const reason = findDecisiveHeadline({ findings, findings_total: findings.length, runs: [] });
  const why = reason === null ? describeCause(code, cause).meaning : `${neutralise(reason)}.`;
  const word = isPassed ? "ok" : "stop";
  const dressed = `${style(isPassed ? "good" : "bad", word)} ${style("strong", code)}:`;
  return renderHeaded(
    { head: `${word} ${code}:`, dressed, text: isPassed ? describePassed(suspicions.length) : why },
    canvas,
  );
}

function describePassed(warnings: number): string {
  return warnings === 0 ? PASSED : `All rules passed, with ${countNoun(warnings, "warning")}. Checks were not run.`;
}

function renderFinding({ subject, rule, glob }: Finding, canvas: Canvas, mark = ""): readonly string[] {
  const decided = glob === null ? "" : ` (glob ${neutralise(glob)})`;
  return [
    `  ${canvas.style("strong", neutralise(subject))}`,
    ...renderIndented(`${mark}${neutralise(rule)}${decided}`, 4, canvas),
  ];
}

function countHidden(hidden: number, what: string): readonly string[] {
  return hidden === 0 ? [] : [`  and ${hidden} more ${what}${VERBOSE_HINT}`];
}

const LISTED_MAX = 20;

/** What a tick would start with, or why it would not start. */
export function renderDryRun(dry: DryRun, canvas: Canvas): string {
  const { refusal, rules, checks, builder, foreseen, prompt, caps } = dry;
  if (refusal !== null) return renderRefusal(refusal, foreseen, canvas);
  const sentences = [
    `Allowed: ${rules.allowed_globs.join(", ")}`,
    `Forbidden: ${rules.forbidden_globs.join(", ")}`,
    ...(rules.lifted_paths === undefined ? [] : [`Named by you, so not forbidden: ${rules.lifted_paths.join(", ")}`]),
    `New files: ${nameRight(rules.allow_new_files)}; lockfiles: ${nameRight(rules.allow_lockfile_changes)}`,
    `Limits: ${rules.max_files_touched ?? "no"} files, ${rules.max_lines_changed ?? "no"} lines`,
    `Checks: ${checks.length === 0 ? "none" : checks.join(", ")}`,
    describeCaps(caps),
  ];
  const lines = [
    canvas.style("good", "Ready to start."),
    ...renderParagraph(`Builder: ${neutralise(builder)}`, canvas),
    ...renderForeseen(foreseen, canvas),
    ...sentences.flatMap((line) => renderParagraph(neutralise(line), canvas)),
    ...(prompt === null ? [] : ["Prompt:", ...prompt.split("\n").map((line) => `  ${neutralise(line)}`.trimEnd())]),
  ];
  return `${lines.join("\n")}\n`;
}

const SECONDS_PER_MINUTE = 60;

function describeCaps({ sessions, seconds, turns, dollars }: DryCaps): string {
  const parts = [
    countNoun(sessions, "session"),
    countNoun(Math.ceil(seconds / SECONDS_PER_MINUTE), "minute"),
    ...(turns === null ? [] : [countNoun(turns, "turn")]),
    dollars === null ? "no dollar cap set" : formatDollars(dollars),
  ];
  return `Caps: ${parts.join(", ")}`;
}

const nameRight = (isAllowed: boolean) => (isAllowed ? "allowed" : "not allowed");

function renderForeseen(foreseen: DryRun["foreseen"], canvas: Canvas): readonly string[] {
  if (foreseen === null) return [];
  const { paths, lines_added: added, lines_deleted: deleted } = foreseen;
  const rest = paths.length - LISTED_MAX;
  return [
    `Change: ${countNoun(paths.length, "file")}, +${added}/-${deleted}; all rules pass`,
    ...paths.slice(0, LISTED_MAX).flatMap((path) => renderIndented(neutralise(path), 2, canvas)),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/** What the orchestrator would be asked, by the sections of its prompt. */
export function renderDryPlan(dry: PlanDryRun, canvas: Canvas): string {
  const { refusal, orchestrator, builder, promptBytes, caps } = dry;
  if (refusal !== null) return renderRefusal(refusal, null, canvas);
  const lines = [
    canvas.style("good", "Ready to start."),
    ...renderParagraph(`Orchestrator: ${neutralise(orchestrator)}; builder: ${neutralise(builder)}`, canvas),
    ...renderParagraph(describeCaps(caps), canvas),
    "Prompt size by section, in bytes:",
    ...Object.entries(promptBytes).map(([name, bytes]) => `  ${name.padEnd(12)} ${bytes}`),
  ];
  return `${lines.join("\n")}\n`;
}

function renderRefusal(
  { code, cause, message }: NonNullable<DryRun["refusal"]>,
  foreseen: DryRun["foreseen"],
  canvas: Canvas,
): string {
  const { meaning, remedy } = describeCause(code, cause);
  const findings = (foreseen?.findings ?? []).slice(0, LISTED_MAX);
  const problems = findings.map(({ subject, rule }) => `${subject}: ${rule}`);
  return renderFailure({ code, message: message ?? meaning, problems, next: `Next: ${remedy}` }, canvas);
}

interface PatchOptions {
  readonly style: Style;
  /** Whether it is shown to its end. */
  readonly isWhole: boolean;
}

const LINES_SHOWN = 200;

/** A patch to read: coloured and escaped, so it cannot be applied. */
export function renderPatchLines(patch: string, { style, isWhole }: PatchOptions): readonly string[] {
  const lines = foldBinary(listPatchLines(patch));
  const shown = isWhole ? lines : lines.slice(0, LINES_SHOWN);
  const hidden = lines.length - shown.length;
  return [
    ...shown.map((line) => renderPatchLine(line, style)),
    ...(hidden > 0 ? [`and ${hidden} more lines; see them with -v`] : []),
  ];
}

/** Nobody reads the bytes of a binary file; git says in one line that they differ. */
function foldBinary(lines: readonly PatchLine[]): readonly PatchLine[] {
  let file: PatchLine | null = null;
  return lines.flatMap((line, index): readonly PatchLine[] => {
    if (line.kind === "file") file = line;
    if (line.kind !== "binary") return [line];
    if (lines[index - 1]?.kind === "binary" || file === null) return [];
    return [{ kind: "header", text: `Binary file ${listPatchFiles([file])[0]?.path ?? ""} differs` }];
  });
}

const TONES: Readonly<Record<PatchLine["kind"], Tone | null>> = {
  file: "strong",
  header: "faint",
  hunk: "faint",
  binary: "faint",
  added: "good",
  deleted: "bad",
  context: null,
};

/** The names of blobs are for programs. */
const FULL_INDEX = /^index ([0-9a-f]{7})[0-9a-f]+\.\.([0-9a-f]{7})[0-9a-f]+/u;

function renderPatchLine({ kind, text }: PatchLine, style: Style): string {
  const short = kind === "header" ? text.replace(FULL_INDEX, "index $1..$2") : text;
  const harmless = neutralise(short.replaceAll("\t", "    "));
  const tone = TONES[kind];
  return tone === null || harmless === "" ? harmless : style(tone, harmless);
}
