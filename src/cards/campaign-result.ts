/** The log of one iteration as Markdown. What others wrote stands in spans that nothing can leave. */
import type { IterationRecord } from "../workflows/pure/campaign-state.ts";
import { countNoun } from "../base/count-noun.ts";
import { renderCodeSpan, renderProseSpan } from "../base/code-span.ts";

const PATHS_SHOWN = 100;

/** Each fact says who measured it; a worker's own words are marked as such. */
export function renderIteration(slug: string, record: IterationRecord): string {
  const { iteration, story, signal, code, commit, touched, linesAdded, linesDeleted } = record;
  const rest = touched.length - PATHS_SHOWN;
  return [
    `# ${slug}: iteration ${iteration}`,
    "",
    `- story: ${renderCodeSpan(story)} [leader-measured]`,
    `- result: ${renderCodeSpan(code)} [leader-measured]`,
    `- signal: ${signal === null ? "none" : `${renderCodeSpan(signal.status)} ${renderProseSpan(signal.summary)}`} [worker's words]`,
    `- at: ${record.at} [leader-measured]`,
    `- commit: ${commit === null ? "none" : renderCodeSpan(commit)} [git-measured]`,
    `- changed: ${countNoun(touched.length, "file")}, +${linesAdded} -${linesDeleted} [git-measured]`,
    ...touched.slice(0, PATHS_SHOWN).map((path) => `  - ${renderCodeSpan(path)}`),
    ...(rest > 0 ? [`  - and ${rest} more`] : []),
    "",
    ...record.verifications.flatMap(renderVerification),
    ...(record.verifications.length === 0 ? [] : [""]),
  ].join("\n");
}

function renderVerification({ story, verdict, summary, issues }: IterationRecord["verifications"][number]) {
  return [
    `- verdict on ${renderCodeSpan(story)}: ${renderCodeSpan(verdict)} [leader-measured]`,
    `  - ${renderProseSpan(summary)}`,
    ...issues.map(
      ({ severity, criterion, description }) =>
        `  - ${severity}, ${renderCodeSpan(criterion)}: ${renderProseSpan(description)}`,
    ),
  ];
}
