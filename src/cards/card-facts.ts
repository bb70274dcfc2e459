/** The facts of a tick at a glance: one line each, as far as that goes. `relais history show` has all of them. */
import type { Report, VerificationRun } from "../records/report.ts";
import { NOT_PUT_BACK } from "../tick/pure/note-beginnings.ts";
import { countNoun } from "../base/count-noun.ts";
import { isGreenRun, nameFindingRule } from "../tick/pure/decisive-words.ts";
import { shorten } from "../base/shorten.ts";
import { NOT_KEPT } from "../evidence/pure/unkept-notes.ts";
import { BAD, type Canvas, type Fact, GOOD, listFacts, measureFactRoom, WARNING } from "../base/canvas.ts";
import { measureDisplayWidth } from "../base/display-width.ts";
import { formatDuration } from "../base/duration-text.ts";
import { neutralise } from "../base/neutralise.ts";
import { listAttemptFacts } from "./attempts-text.ts";
import {
  describeCheck,
  describeExtraTime,
  describeIsolationShortly,
  describeReviewer,
  describeSettlement,
  describeSize,
  describeTotalUsage,
  isUnbuilt,
  isUnchecked,
  joinLines,
  listDecidingRuns,
  listOwnNotes,
  pickVoteMark,
  SUMMARY_UNREADABLE,
} from "./report-words.ts";

const ITEMS = 3;
const CHECKS = 4;
const CHARS = 160;
const LAST_LINES = 4;

export function listCardFacts(report: Report, canvas: Canvas): readonly Fact[] {
  const { code, cause, task, budgets } = report;
  const room = measureFactRoom(canvas);
  return [
    ["task", task && joinLines(shorten(task.intent ?? task.task_id, room))],
    ["change", describeChange(report)],
    ["", listPaths(report, room)],
    ...listLosses(report),
    ...listFindings(report),
    ...listNotes(report),
    ...listChecks(report),
    ...listAttemptFacts(report),
    ...listReviewers(report),
    describeCost(report),
    ["builder", describeIsolationShortly(report)],
    ["", report.builder_output_valid === false ? SUMMARY_UNREADABLE : null],
    ...budgets.warnings.slice(0, ITEMS).map((warning): Fact => ["budget", neutralise(warning)]),
    ["code", cause === null ? code : `${code} (${neutralise(cause)})`],
  ];
}

const cutNote = (note: string): string => joinLines(shorten(note, CHARS));

function listNotes(report: Report): readonly Fact[] {
  const own = listOwnNotes(report);
  if (own.length === 0) return [];
  const total = own.length + report.notes_total - report.notes.length;
  return listFacts("notes", own.map(cutNote), { max: ITEMS, total });
}

/** Null for a tick that never began to work; the headline says why. */
function describeChange(report: Report): string | null {
  const { code, pointers, settle, blast_radius } = report;
  if (code === "BLOCKED_ROLLBACK_FAILED") return "NOT restored exactly";
  if (!hasBegun(report)) return null;
  const size = describeSize(report);
  if (size !== null && blast_radius.files_touched === 0) return "no change";
  const settled = settle?.action === "accept" ? "not committed" : describeSettlement(report, neutralise);
  const saved = pointers.salvage === undefined ? settled : `${settled}, kept in salvage`;
  return size === null ? saved : `${size.replace(/, 0 new$/u, "")}; ${saved}`;
}

function hasBegun(report: Report): boolean {
  return (report.settle !== null || report.isolation !== null) && !isUnbuilt(report);
}

/** As many names as fit into one line; null if the first one does not. */
function listPaths({ scope: { touched_paths, touched_paths_total } }: Report, room: number): string | null {
  const names = touched_paths.map(neutralise);
  for (let count = Math.min(names.length, ITEMS); count > 0; count -= 1) {
    const rest = touched_paths_total - count;
    const text = `${names.slice(0, count).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    if (measureDisplayWidth(text) <= room) return text;
  }
  return null;
}

/** What a failed rollback left different, and what is not in salvage. */
function listLosses({ notes }: Report): readonly Fact[] {
  const losses = [
    ["", NOT_PUT_BACK],
    ["salvage", NOT_KEPT],
  ] as const;
  return losses.flatMap(([label, beginning]) =>
    notes
      .filter((note) => note.startsWith(beginning))
      .slice(0, ITEMS)
      .map((note): Fact => [label, { ...BAD, text: cutNote(note) }]),
  );
}

/** The failure of a session and a missing change are in the headline. */
function listFindings({ findings, findings_total }: Report): readonly Fact[] {
  const own = findings.filter(({ gate, code }) => gate !== "builder-failure" && code !== "STOP_NO_CHANGE");
  if (own.length === 0) return [];
  const texts = own.slice(0, ITEMS).map((finding) => {
    const rule = nameFindingRule({ ...finding, rule: shorten(finding.rule, CHARS) });
    return { ...BAD, text: `${neutralise(shorten(finding.subject, CHARS))}: ${neutralise(rule)}` };
  });
  return listFacts("findings", texts, { max: ITEMS, total: findings_total });
}

function listChecks(report: Report): readonly Fact[] {
  const { runs, runs_total } = listDecidingRuns(report);
  if (isUnchecked(report)) return [["checks", { ...WARNING, text: "none; name them in `verification.templates`" }]];
  const red = runs.filter((run) => !isGreenRun(run));
  const old = runs.filter((run) => isGreenRun(run) && run.oracle !== undefined);
  const green = runs.filter((run) => isGreenRun(run) && run.oracle === undefined);
  return [
    describeGreen(green, runs_total - red.length - old.length),
    describeGreen(old, old.length),
    ...red.flatMap((run): Fact[] => [
      ["checks", { ...BAD, text: describeCheck(run, neutralise) }],
      ...(run.last_lines ?? []).slice(-LAST_LINES).map((line): Fact => {
        return ["checks", { mark: "│", tone: "faint", text: neutralise(shorten(line, CHARS)) }];
      }),
    ]),
    ["checks", describeExtraTime(report)],
  ];
}

/** A few by name, many by their number. */
function describeGreen(green: readonly VerificationRun[], total: number): Fact {
  const [first] = green;
  if (first === undefined) return ["checks", null];
  const texts = green.map((run) => describeCheck(run, neutralise));
  const comma = texts.some((text) => text.includes(",")) ? "; " : ", ";
  if (total <= CHECKS) return ["checks", { ...GOOD, text: texts.join(comma) }];
  const took = formatDuration(green.reduce((sum, { duration_ms }) => sum + duration_ms, 0));
  const old = first.oracle === undefined ? "" : ", with the old tests";
  return ["checks", { ...GOOD, text: `${countNoun(total, "check")} passed, ${took}${old}` }];
}

function listReviewers({ review, workflow }: Report): readonly Fact[] {
  return (review?.reviewers ?? []).map((reviewer) => {
    const text = describeReviewer(reviewer, (words) => joinLines(shorten(words, CHARS)));
    return ["review", { ...pickVoteMark(reviewer, workflow), text }];
  });
}

function describeCost({ usage, sandbox, duration_ms }: Report): Fact {
  const time = formatDuration(duration_ms);
  const amount = describeTotalUsage(usage) ?? (sandbox === null && usage.length === 0 ? null : "not reported");
  return amount === null ? ["time", time] : ["cost", `${amount}; ${time}`];
}
