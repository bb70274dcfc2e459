/** The demonstration as a person reads it: what happens, what is typed and answered, and the proof. */
import type { DemoAct, DemoOutcome, DemoRan, DemoStep, DemoTick } from "../records/demo.ts";
import {
  BAD,
  type Canvas,
  type Fact,
  GOOD,
  makeStep,
  measureWidth,
  renderFacts,
  renderParagraph,
  renderSteps,
} from "../base/canvas.ts";
import { formatDuration } from "../base/duration-text.ts";
import { neutralise } from "../base/style.ts";
import { writeShellWord } from "../base/process-text.ts";
import { wrapText } from "../base/wrap-text.ts";

interface PlayedAct extends Pick<DemoAct, "title" | "about" | "next"> {
  readonly root: string;
}

const joinText = (lines: readonly string[]) => `${lines.join("\n")}\n`;

export function renderDemoOpening({ folder }: { readonly folder: string }, canvas: Canvas): string {
  return joinText([
    canvas.style("strong", "relais demo"),
    ...renderParagraph(
      "The real relais runs these steps, offline, in its own folder. Nothing else is changed.",
      canvas,
    ),
    "",
    ...renderFacts([["folder", neutralise(folder)]], canvas),
  ]);
}

export function renderActOpening({ title, about, root }: Omit<PlayedAct, "next">, canvas: Canvas): string {
  return joinText([
    "",
    canvas.style("strong", `── ${title} ──`),
    ...renderParagraph(about, canvas),
    "",
    ...renderFacts([["repository", neutralise(root)]], canvas),
  ]);
}

export function renderStepOpening(
  { title, about, tick }: Pick<DemoStep, "title" | "about" | "tick">,
  at: number,
  canvas: Canvas,
): string {
  return joinText([
    "",
    canvas.style("strong", `${at}. ${title}`),
    ...renderFacts([["what", about ?? null], ...(tick === undefined ? [] : listTickFacts(tick))], canvas),
  ]);
}

function listTickFacts({ asked, does, says }: DemoTick): readonly Fact[] {
  return [
    ["asked", asked],
    ...does.map((text): Fact => ["builder", { mark: "-", tone: "faint", text }]),
    ["it says", says && `"${says}"`],
  ];
}

export function renderStepEnding(
  { ran, claims, isAsExpected }: Pick<DemoOutcome, "ran" | "claims" | "isAsExpected">,
  canvas: Canvas,
): string {
  const proofs = claims.map(({ isTrue, words }): Fact => {
    return ["proof", isTrue ? { ...GOOD, text: words } : { ...BAD, text: `NOT true: ${words}` }];
  });
  const trouble = isAsExpected ? null : { ...BAD, text: "Unexpected result. Please report it." };
  return joinText([
    ...ran.flatMap((command) => renderRan(command, canvas)),
    ...renderFacts([...proofs, ["", trouble]], canvas),
  ]);
}

function renderRan({ line, end, isAsExpected, stdout, stderr }: DemoRan, canvas: Canvas): readonly string[] {
  const isCrash = typeof end !== "number";
  const by = isCrash ? end : `exit status ${end}`;
  const facts: readonly Fact[] = [
    ["crash", isCrash && isAsExpected ? `relais was killed (${end})` : null],
    ["", isAsExpected ? null : { ...BAD, text: `unexpected end: ${by}` }],
  ];
  return [
    `  ${canvas.style("faint", "$")} ${canvas.style("strong", neutralise(line))}`,
    ...renderOutput(isAsExpected ? stdout : stdout + stderr, canvas),
    ...renderFacts(facts, canvas),
  ];
}

/** How wide the output of a command may be beside its margin. */
export function measureOutput(canvas: Canvas): number {
  return measureWidth(canvas) - 4;
}

/** What a command printed, in its own layout; what is wider than the terminal is wrapped. */
function renderOutput(output: string, canvas: Canvas): readonly string[] {
  const lines = output.split("\n").map((line) => neutralise(line).trimEnd());
  const [first, last] = [lines.findIndex((line) => line !== ""), lines.findLastIndex((line) => line !== "")];
  return lines
    .slice(Math.max(0, first), last + 1)
    .flatMap((line) => {
      const text = line.trimStart();
      const indent = line.slice(0, line.length - text.length);
      return wrapText(text, measureOutput(canvas) - indent.length).map((part) => `${indent}${part}`);
    })
    .map((line) => `  ${canvas.style("faint", "│")} ${line}`.trimEnd());
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
  return joinText([
    "",
    canvas.style(tone, count),
    ...renderParagraph(
      "The folder stays for you to explore; ../relais runs relais with the state of this demo. Delete the " +
        "folder when you are done.",
      canvas,
    ),
    ...acts.flatMap(({ root, next, title }) => {
      return ["", ...renderSteps([makeStep(`cd ${writeShellWord(root)}`, title), ...next], canvas)];
    }),
  ]);
}
