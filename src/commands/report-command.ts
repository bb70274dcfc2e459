import { countNoun } from "../base/words.ts";
import { neutralise } from "../base/style.ts";
import { writeReport } from "../page/write-report.ts";
import { makeDocument, printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import { refuseMisuse, type RunCommand } from "../terminal/command.ts";
import { readVersion } from "../terminal/global-options.ts";
import type { ReportOptions } from "./report-spec.ts";

export const runReport: RunCommand<ReportOptions> = async ({ positionals: [asked = null], options }, session) => {
  const file = options.text("html");
  if (file === null || file === "") return refuseMisuse("report needs a file: --html FILE");
  const request = { ...session, asked, file, version: readVersion(), withPreflight: false };
  const answer = await writeReport(request);
  if (answer.kind !== "written") return printFailure(answer, session);
  const { ticks, leftOut } = answer;
  const rest = leftOut === 0 ? "" : ` ${countNoun(leftOut, "page")} did not fit.`;
  const text = `Wrote ${neutralise(answer.file)} with ${countNoun(ticks, "tick")}.${rest}\n`;
  return printAnswer(
    { document: makeDocument(answer, ["file", "bytes", "ticks", "leftOut"]), text: () => text },
    session,
  );
};
