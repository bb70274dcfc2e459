/** The result of tried mutations in words; names and code in them are of others. */
import { REPORT_LIMITS } from "../../contract/documents/report-limits.ts";
import {
  type MutationReport,
  MUTATIONS_MAX,
  type Survivor,
  type TickMutation,
} from "../../contract/evidence/mutation-report.ts";
import { countNoun } from "../words/count-noun.ts";
import { shorten } from "../words/shorten.ts";

const SHOWN_CHARS = 40;

export function describeMutation(report: MutationReport): string {
  const { skipped, survivors, tried, possible, out_of_time: isCut, checks } = report;
  if (skipped !== null) return `No mutation was tried: ${skipped}.`;
  const of = tried < possible ? ` (of ${possible} possible)` : "";
  const time = isCut ? " The time ended before all were tried." : "";
  const by = checks.join(", ");
  const noticed = survivors.length === 0 ? `${by} noticed each of ${countNoun(tried, "mutation")}` : null;
  return `${noticed ?? `${survivors.length} of ${countNoun(tried, "mutation")} survived ${by}`}${of}.${time}`;
}

export function describeSurvivor({ path, line, column, before, after }: Survivor): string {
  return `${path}:${line}:${column} ${show(before)} → ${after === "" ? "removed" : show(after)}`;
}

/** On one line, and not all of a long one. */
function show(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return `\`${line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS - 1)}…` : line}\``;
}

/** As long as a report may be: a builder chooses names and code. */
export function cutMutation({ skipped, checks, survivors, ...counts }: TickMutation): TickMutation {
  const { argChars, noteChars, pathChars, runs } = REPORT_LIMITS;
  return {
    ...counts,
    skipped: skipped === null ? null : shorten(skipped, noteChars),
    checks: checks.slice(0, runs),
    survivors: survivors.slice(0, MUTATIONS_MAX).map((survivor) => ({
      ...survivor,
      path: shorten(survivor.path, pathChars),
      before: shorten(survivor.before, argChars),
      after: shorten(survivor.after, argChars),
    })),
  };
}
