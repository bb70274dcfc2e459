/** The log of one iteration as Markdown. What others wrote stands in spans that nothing can leave. */
import type { IterationRecord } from "../../core/campaign/campaign-state.ts";
import { counted } from "../../core/words/counted.ts";
import { codeSpan, proseSpan } from "../text/code-span.ts";

const PATHS_SHOWN = 100;

/** Each fact says who measured it; a worker's own words are marked as such. */
export function iterationText(slug: string, record: IterationRecord): string {
  const { iteration, story, signal, code, commit, touched, linesAdded, linesDeleted } = record;
  const rest = touched.length - PATHS_SHOWN;
  return [
    `# ${slug}: iteration ${iteration}`,
    "",
    `- story: ${codeSpan(story)} [leader-measured]`,
    `- result: ${codeSpan(code)} [leader-measured]`,
    `- signal: ${signal === null ? "none" : `${codeSpan(signal.status)} ${proseSpan(signal.summary)}`} [worker's words]`,
    `- at: ${record.at} [leader-measured]`,
    `- commit: ${commit === null ? "none" : codeSpan(commit)} [git-measured]`,
    `- changed: ${counted(touched.length, "file")}, +${linesAdded} -${linesDeleted} [git-measured]`,
    ...touched.slice(0, PATHS_SHOWN).map((path) => `  - ${codeSpan(path)}`),
    ...(rest > 0 ? [`  - and ${rest} more`] : []),
    "",
    ...record.verifications.flatMap(verificationLines),
    ...(record.verifications.length === 0 ? [] : [""]),
  ].join("\n");
}

function verificationLines({ story, verdict, summary, issues }: IterationRecord["verifications"][number]) {
  return [
    `- verdict on ${codeSpan(story)}: ${codeSpan(verdict)} [leader-measured]`,
    `  - ${proseSpan(summary)}`,
    ...issues.map(
      ({ severity, criterion, description }) =>
        `  - ${severity}, ${codeSpan(criterion)}: ${proseSpan(description)}`,
    ),
  ];
}
