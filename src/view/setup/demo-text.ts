/** The demonstration as a person reads it: what happens, what is typed and answered, and the proof. */
import type { DemoAct, DemoOutcome, DemoRan, DemoStep, DemoTick } from "../../contract/documents/demo.ts";
import {
  type Canvas,
  renderLabelled,
  renderMarked,
  renderParagraph,
  renderSteps,
  measureWidth,
} from "../text/canvas.ts";
import { formatDuration } from "../text/duration-text.ts";
import { neutralise } from "../text/neutralise.ts";
import { measureDisplayWidth } from "../text/display-width.ts";

interface PlayedAct extends Pick<DemoAct, "title" | "about" | "next"> {
  readonly root: string;
}

const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;

/** What stands at the beginning. */
export function renderDemoOpening({ folder }: { readonly folder: string }, canvas: Canvas): string {
  return text([
    canvas.style("strong", "relais demo"),
    ...renderParagraph(
      "The real relais runs these steps, offline, in its own folder. Nothing else is changed.",
      canvas,
    ),
    "",
    ...renderLabelled("all of it", neutralise(folder), canvas),
  ]);
}

/** What is said before the first step of an act. */
export function renderActOpening({ title, about, root }: Omit<PlayedAct, "next">, canvas: Canvas): string {
  return text([
    "",
    canvas.style("strong", `── ${title} ──`),
    ...renderParagraph(about, canvas),
    "",
    ...renderLabelled("repository", neutralise(root), canvas),
  ]);
}

/** What is said before a step is played. */
export function renderStepOpening(
  { title, about, tick }: Pick<DemoStep, "title" | "about" | "tick">,
  at: number,
  canvas: Canvas,
): string {
  return text([
    "",
    canvas.style("strong", `${at}. ${title}`),
    ...(about === undefined ? [] : renderLabelled("what", about, canvas)),
    ...(tick === undefined ? [] : tickLines(tick, canvas)),
  ]);
}

function tickLines({ asked, does, says }: Pick<DemoTick, "asked" | "does" | "says">, canvas: Canvas) {
  return [
    ...renderLabelled("asked", asked, canvas),
    ...does.flatMap((deed, index) =>
      renderMarked(index === 0 ? "builder" : "", { mark: "-", tone: "faint", text: deed }, canvas),
    ),
    ...(says === null ? [] : renderLabelled("it says", `"${says}"`, canvas)),
  ];
}

/** What is said after it. */
export function renderStepEnding(
  { ran, claims, isAsExpected }: Pick<DemoOutcome, "ran" | "claims" | "isAsExpected">,
  canvas: Canvas,
): string {
  const words = "Unexpected result. Please report it.";
  return text([
    ...ran.flatMap((command) => ranLines(command, canvas)),
    ...proofLines(claims, canvas),
    ...(isAsExpected ? [] : renderMarked("", { mark: "✗", tone: "bad", text: words }, canvas)),
  ]);
}

function ranLines({ line, end, isAsExpected, stdout, stderr }: DemoRan, canvas: Canvas): readonly string[] {
  const by = typeof end === "number" ? `exit status ${end}` : end;
  return [
    `  ${canvas.style("faint", "$")} ${canvas.style("strong", neutralise(line))}`,
    ...shownOutput(isAsExpected ? stdout : stdout + stderr, canvas),
    ...(typeof end === "number" || !isAsExpected ? [] : renderLabelled("crash", `relais was killed (${end})`, canvas)),
    ...(isAsExpected ? [] : renderMarked("", { mark: "✗", tone: "bad", text: `unexpected end: ${by}` }, canvas)),
  ];
}

/** How wide the output of a command may be beside its margin. */
export function measureOutput(canvas: Canvas): number {
  return measureWidth(canvas) - 4;
}

/** What a command printed, in its own lay-out; only what is wider than the terminal is cut. */
function shownOutput(output: string, canvas: Canvas): readonly string[] {
  const room = measureOutput(canvas);
  const lines = output.split("\n").map((line) => neutralise(line).trimEnd());
  const last = lines.findLastIndex((line) => line !== "");
  const first = lines.findIndex((line) => line !== "");
  return lines.slice(Math.max(0, first), last + 1).map((line) => {
    return `  ${canvas.style("faint", "│")} ${measureDisplayWidth(line) > room ? `${line.slice(0, room - 1)}…` : line}`.trimEnd();
  });
}

/** What must be true, and whether it is. */
function proofLines(claims: DemoOutcome["claims"], canvas: Canvas): readonly string[] {
  return claims.flatMap(({ isTrue, words }, index) => {
    const sign = isTrue ? ({ mark: "✓", tone: "good" } as const) : ({ mark: "✗", tone: "bad" } as const);
    return renderMarked(index === 0 ? "proof" : "", { ...sign, text: isTrue ? words : `NOT true: ${words}` }, canvas);
  });
}

interface Ending {
  readonly acts: readonly (PlayedAct & { readonly outcomes: readonly Pick<DemoOutcome, "isAsExpected">[] })[];
  readonly durationMs: number;
}

/** What stands at the end: how many came out as they should, where it all lies, and what to look at. */
export function renderDemoClosing({ acts, durationMs }: Ending, canvas: Canvas): string {
  const outcomes = acts.flatMap((act) => act.outcomes);
  const good = outcomes.filter(({ isAsExpected }) => isAsExpected).length;
  const tone = good === outcomes.length ? "good" : "bad";
  const count = `${good} of ${outcomes.length} as expected, in ${formatDuration(durationMs)}.`;
  return text([
    "",
    canvas.style(tone, count),
    ...renderParagraph(
      "The folder stays for you to explore; ../relais runs relais with the state of this demo. Delete the " +
        "folder when you are done.",
      canvas,
    ),
    ...acts.flatMap(({ root, next, title }) => {
      const go = { command: `cd ${shellWord(root)}`, explains: title };
      return ["", ...renderSteps([go, ...next], canvas)];
    }),
  ]);
}

/** As a shell takes it literally. */
function shellWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
