/** What `relais doctor` saw, one line for each thing, with the fix right below what is not in order. */
import type { DoctorCheck } from "../core/doctor-check.ts";
import { neutralise } from "./neutralise.ts";
import type { Style } from "./style.ts";

interface DoctorTextOptions {
  readonly style: Style;
  /** Whether only what is not in order is shown. */
  readonly isQuiet: boolean;
}

/** The whole answer, ending with a line that sums it up. */
export function doctorText(checks: readonly DoctorCheck[], { style, isQuiet }: DoctorTextOptions): string {
  const shown = isQuiet ? checks.filter(({ status }) => status !== "ok") : checks;
  const width = Math.max(0, ...shown.map(({ subject }) => subject.length));
  const lines = shown.flatMap((check) => checkLines(check, { style, width }));
  const summary =
    isQuiet && shown.length === 0 ? [] : [...(shown.length === 0 ? [] : [""]), summaryLine(checks)];
  return [...lines, ...summary].map((line) => `${line}\n`).join("");
}

const TONES = { ok: "good", warn: "strong", fail: "bad" } as const;

function checkLines(
  { status, subject, message, problems, fix }: DoctorCheck,
  { style, width }: { readonly style: Style; readonly width: number },
): readonly string[] {
  const margin = " ".repeat("fail".length + 2 + width + 2);
  return [
    `${style(TONES[status], status.padEnd("fail".length))}  ${subject.padEnd(width)}  ${neutralise(message)}`,
    ...problems.map((problem) => `${margin}- ${neutralise(problem)}`),
    ...(fix === null ? [] : [`${margin}Fix: ${neutralise(fix)}`]),
  ];
}

function summaryLine(checks: readonly DoctorCheck[]): string {
  const failed = checks.filter(({ status }) => status === "fail").length;
  const warned = checks.filter(({ status }) => status === "warn").length;
  const warnings = warned === 0 ? "" : `, ${counted(warned, "warning")}`;
  return failed === 0 ? `Ready${warnings}.` : `${counted(failed, "thing")} to mend${warnings}.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
