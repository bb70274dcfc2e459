/** A step of the demonstration that types commands: what is typed, what was answered, and the proof. */
import { type Canvas, labelled, marked, widthOf } from "../text/canvas.ts";
import { neutralise } from "../text/neutralise.ts";
import { displayWidth } from "../text/wrap-text.ts";

interface Step {
  readonly title: string;
  readonly about: string;
}

interface Claim {
  readonly isTrue: boolean;
  readonly words: string;
}

interface StepOutcome {
  readonly ran: readonly {
    readonly line: string;
    readonly status: number | null;
    readonly isAsTold: boolean;
    readonly stdout: string;
    readonly stderr: string;
  }[];
  readonly claims: readonly Claim[];
  readonly isAsTold: boolean;
}

const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;

/** What is said before a step is played. */
export function stepOpening(
  { step: { title, about }, at }: { step: Step; at: number },
  canvas: Canvas,
): string {
  return text(["", canvas.style("strong", `${at}. ${title}`), ...labelled("what", about, canvas)]);
}

/** What is said after it. */
export function stepEnding({ ran, claims, isAsTold }: StepOutcome, canvas: Canvas): string {
  const words = "This is not how it should have ended. Please report it.";
  return text([
    ...ran.flatMap((command) => ranLines(command, canvas)),
    ...proofLines(claims, canvas),
    ...(isAsTold ? [] : marked("", { mark: "✗", tone: "bad", text: words }, canvas)),
  ]);
}

function ranLines(
  { line, status, isAsTold, stdout, stderr }: StepOutcome["ran"][number],
  canvas: Canvas,
): readonly string[] {
  const failed = `it ended with ${status === null ? "a signal" : `exit status ${status}`}, which was not foretold`;
  return [
    `  ${canvas.style("faint", "$")} ${canvas.style("strong", neutralise(line))}`,
    ...shownOutput(isAsTold ? stdout : stdout + stderr, canvas),
    ...(isAsTold ? [] : marked("", { mark: "✗", tone: "bad", text: failed }, canvas)),
  ];
}

/** What a command printed, in its own lay-out; only what is wider than the terminal is cut. */
function shownOutput(output: string, canvas: Canvas): readonly string[] {
  const room = widthOf(canvas) - 4;
  const lines = output.split("\n").map((line) => neutralise(line).trimEnd());
  const last = lines.findLastIndex((line) => line !== "");
  const first = lines.findIndex((line) => line !== "");
  return lines.slice(Math.max(0, first), last + 1).map((line) => {
    return `  ${canvas.style("faint", "│")} ${displayWidth(line) > room ? `${line.slice(0, room - 1)}…` : line}`.trimEnd();
  });
}

/** What was foretold, and whether it came true. */
export function proofLines(claims: readonly Claim[], canvas: Canvas): readonly string[] {
  return claims.flatMap(({ isTrue, words }, index) => {
    const sign = isTrue ? ({ mark: "✓", tone: "good" } as const) : ({ mark: "✗", tone: "bad" } as const);
    return marked(index === 0 ? "proof" : "", { ...sign, text: isTrue ? words : `NOT so: ${words}` }, canvas);
  });
}
