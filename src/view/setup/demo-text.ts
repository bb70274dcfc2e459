/** The demonstration as a person reads it: what was asked, what was done, what relais decided, and the proof. */
import { CODES, type Code } from "../../contract/values/codes.ts";
import type { Report } from "../../contract/documents/report.ts";
import { counted } from "../../core/words/counted.ts";
import { isGreenRun } from "../../core/words/decisive-words.ts";
import { type Canvas, labelled, marked, type NextStep, paragraph, steps } from "../text/canvas.ts";
import { durationText } from "../text/duration-text.ts";
import { proofLines } from "./demo-step-text.ts";
import { neutralise } from "../text/neutralise.ts";
import { checkWords, verdictMark } from "../cards/report-words.ts";

interface Place {
  readonly folder: string;
}

interface Act {
  readonly title: string;
  readonly about: string;
  readonly root: string;
  readonly next: readonly NextStep[];
}

interface Scene {
  readonly title: string;
  readonly asked: string;
  readonly does: readonly string[];
  readonly says: string | null;
  readonly code: Code;
}

interface Look {
  readonly head: string;
  readonly status: readonly string[];
  readonly fingerprint: { readonly sha256: string; readonly files: number };
}

interface Outcome {
  readonly scene: Scene;
  readonly report: Report;
  readonly killedBy: string | null;
  readonly damage: readonly string[];
  readonly before: Look;
  readonly after: Look;
  readonly committed: readonly string[] | null;
  readonly isAsTold: boolean;
}

const FINDINGS_MAX = 8;
const SHORT_COMMIT = 12;

const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;

/** What stands at the beginning. */
export function demoOpening({ folder }: Place, canvas: Canvas): string {
  return text([
    canvas.style("strong", "relais demo"),
    ...paragraph(
      "Everything below is done by the real relais, offline, in a folder of its own. Nothing else is touched.",
      canvas,
    ),
    "",
    ...labelled("all of it", neutralise(folder), canvas),
  ]);
}

/** What is said before the first piece of an act. */
export function actOpening({ title, about, root }: Act, canvas: Canvas): string {
  return text([
    "",
    canvas.style("strong", `── ${title} ──`),
    ...paragraph(about, canvas),
    "",
    ...labelled("repository", neutralise(root), canvas),
  ]);
}

/** What is said before a scene is played. */
export function sceneOpening(
  { scene: { title, asked, does, says }, at }: { readonly scene: Scene; readonly at: number },
  canvas: Canvas,
): string {
  return text([
    "",
    canvas.style("strong", `${at}. ${title}`),
    ...labelled("asked", asked, canvas),
    ...does.flatMap((deed, index) =>
      marked(index === 0 ? "builder" : "", { mark: "-", tone: "faint", text: deed }, canvas),
    ),
    ...(says === null ? [] : labelled("it says", `"${says}"`, canvas)),
  ]);
}

/** What is said after it. */
export function sceneEnding(outcome: Outcome, canvas: Canvas): string {
  return text([
    ...crash(outcome, canvas),
    ...decision(outcome.report, canvas),
    ...kept(outcome, canvas),
    ...proof(outcome, canvas),
    ...disappointment(outcome, canvas),
  ]);
}

function crash({ killedBy, damage }: Outcome, canvas: Canvas): readonly string[] {
  if (killedBy === null) return [];
  const words = `relais is dead (${killedBy}), and git status shows what was left behind:`;
  return [
    ...labelled("crash", words, canvas),
    ...damage.flatMap((line) => labelled("", neutralise(line), canvas)),
    ...labelled("then", "relais recover", canvas),
  ];
}

function decision(report: Report, canvas: Canvas): readonly string[] {
  const { mark, word, tone } = verdictMark(report);
  const findings = report.findings.slice(0, FINDINGS_MAX);
  const hidden = report.findings_total - findings.length;
  return [
    ...marked("relais", { mark, tone, text: `${word} ${report.code}` }, canvas),
    ...labelled("", CODES[report.code].meaning, canvas),
    ...findings.flatMap(({ subject, rule }) => {
      return marked(
        "",
        { mark: "✗", tone: "bad", text: `${neutralise(subject)}: ${neutralise(rule)}` },
        canvas,
      );
    }),
    ...(hidden > 0 ? labelled("", `and ${hidden} more`, canvas) : []),
    ...report.verification.runs.flatMap((run) => {
      const [sign, colour] = isGreenRun(run) ? (["✓", "good"] as const) : (["✗", "bad"] as const);
      return marked("", { mark: sign, tone: colour, text: `check ${checkWords(run, neutralise)}` }, canvas);
    }),
  ];
}

function kept({ committed, after, report }: Outcome, canvas: Canvas): readonly string[] {
  if (committed !== null) {
    const what = committed.map(neutralise).join(", ");
    const words = `relais accept: ${what} is committed as ${after.head.slice(0, SHORT_COMMIT)}`;
    return labelled("then", words, canvas);
  }
  const { salvage } = report.pointers;
  return salvage === undefined ? [] : labelled("salvage", `the work is not lost: ${salvage}`, canvas);
}

function proof({ before, after, committed }: Outcome, canvas: Canvas): readonly string[] {
  const isSame = before.fingerprint.sha256 === after.fingerprint.sha256;
  const isSameHead = before.head === after.head;
  const commit = after.head.slice(0, SHORT_COMMIT);
  const claims = [
    ...(committed === null
      ? [
          claim(
            isSame,
            `${counted(after.fingerprint.files, "file")}, git's own data included, are byte for byte as before`,
          ),
          claim(isSameHead, `HEAD is still ${commit}`),
        ]
      : [claim(!isSameHead, `HEAD is ${commit}, and nothing else is different in it`)]),
    claim(after.status.length === 0, "git status is clean"),
  ];
  return proofLines(claims, canvas);
}

const claim = (isTrue: boolean, words: string) => ({ isTrue, words });

function disappointment({ isAsTold, scene }: Outcome, canvas: Canvas): readonly string[] {
  if (isAsTold) return [];
  const words = `This is not how it should have ended (${scene.code}). Please report it.`;
  return marked("", { mark: "✗", tone: "bad", text: words }, canvas);
}

interface Ending {
  readonly acts: readonly (Act & { readonly outcomes: readonly { readonly isAsTold: boolean }[] })[];
  readonly durationMs: number;
}

/** What stands at the end: how many came out as told, where it all lies, and what to look at. */
export function demoClosing({ acts, durationMs }: Ending, canvas: Canvas): string {
  const outcomes = acts.flatMap((act) => act.outcomes);
  const good = outcomes.filter(({ isAsTold }) => isAsTold).length;
  const tone = good === outcomes.length ? "good" : "bad";
  const count = `${good} of ${outcomes.length} came out as they should, in ${durationText(durationMs)}.`;
  return text([
    "",
    canvas.style(tone, count),
    ...paragraph(
      "Everything is left as it is for you to look at. ../relais is relais with the state of this demo. Delete the " +
        "folder when you are done.",
      canvas,
    ),
    ...acts.flatMap(({ root, next, title }) => {
      const go = { command: `cd ${shellWord(root)}`, explains: title };
      return ["", ...steps([go, ...next], canvas)];
    }),
  ]);
}

/** As a shell takes it literally. */
function shellWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
