/** The answer of `relais doctor`: one line for each check, with the fix below each problem. */
import { countNoun } from "../base/count-noun.ts";
import type { DoctorCheck } from "../checks/pure/doctor-check.ts";
import { type Canvas, measureWidth } from "../base/canvas.ts";
import { neutralise } from "../base/neutralise.ts";
import { wrapText } from "../base/wrap-text.ts";

interface DoctorTextOptions extends Canvas {
  /** Whether to show only problems. */
  readonly isQuiet: boolean;
}

export function renderDoctor(checks: readonly DoctorCheck[], options: DoctorTextOptions): string {
  const { isQuiet } = options;
  const shown = isQuiet ? checks.filter(({ status }) => status !== "ok") : checks;
  const width = Math.max(0, ...shown.map(({ subject }) => subject.length));
  const lines = shown.flatMap((check) => renderCheck(check, width, options));
  const summary = isQuiet && shown.length === 0 ? [] : [...(shown.length === 0 ? [] : [""]), summarise(checks)];
  return [...lines, ...summary].map((line) => `${line}\n`).join("");
}

const TONES = { ok: "good", warn: "strong", fail: "bad" } as const;
const STATUS_WIDTH = "fail".length + 2;
/** With less room than this beside the subject, the message stands below it. */
const ROOM_MIN = 36;

function renderCheck(
  { status, subject, message, problems, fix }: DoctorCheck,
  width: number,
  canvas: Canvas,
): readonly string[] {
  const isBeside = measureWidth(canvas) - STATUS_WIDTH - width - 2 >= ROOM_MIN;
  const margin = " ".repeat(STATUS_WIDTH + (isBeside ? width + 2 : 0));
  const room = measureWidth(canvas) - margin.length;
  const head = `${canvas.style(TONES[status], status.padEnd(STATUS_WIDTH - 2))}  ${subject.padEnd(isBeside ? width : 0)}`;
  const below = [
    ...problems.flatMap((problem) => hangLines(`- ${neutralise(problem)}`, room)),
    ...(fix === null ? [] : hangLines(`Fix: ${neutralise(fix)}`, room)),
  ].map((line) => `${margin}${line}`);
  const [first = "", ...rest] = wrapText(neutralise(message), room);
  const more = rest.map((line) => `${margin}${line}`);
  return isBeside ? [`${head}  ${first}`, ...more, ...below] : [head, `${margin}${first}`, ...more, ...below];
}

/** Further lines a little further in, so that one sees where the next point begins. */
function hangLines(text: string, room: number): readonly string[] {
  return wrapText(text, room - 2).map((line, index) => (index === 0 ? line : `  ${line}`));
}

function summarise(checks: readonly DoctorCheck[]): string {
  const failed = checks.filter(({ status }) => status === "fail").length;
  const warned = checks.filter(({ status }) => status === "warn").length;
  const warnings = warned === 0 ? "" : `, ${countNoun(warned, "warning")}`;
  return failed === 0 ? `Ready${warnings}.` : `${countNoun(failed, "problem")}${warnings}.`;
}
