/** The full report of one tick of the history. */
import type { Report } from "../records/report.ts";
import { renderTickCard } from "./tick-card.ts";
import { type Canvas, type Fact, listFacts, VERBOSE_HINT } from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";

const SHOWN = 20;

interface HistoryShowOptions extends Canvas {
  /** Whether long lists are shown to their end. */
  readonly isWhole: boolean;
  /** The decision about the change after the tick. */
  readonly decision: Decision | null;
}

export type Decision =
  { readonly kind: "committed"; readonly commit: string; readonly branch: string } | { readonly kind: "undone" };

/** Everything about one tick: its card in full, with its notes, its paths and where the files are. */
export function renderHistoryShow(report: Report, options: HistoryShowOptions): string {
  const { notes, notes_total, scope, diff, verification, pointers } = report;
  const files = [pointers.history_dir ?? null, diff.diff_patch_path, verification.verify_log_path];
  const max = options.isWhole ? Infinity : SHOWN;
  const list = (label: string, texts: readonly string[], total = 0) =>
    listFacts(label, texts.map(neutralise), { max, total, hint: VERBOSE_HINT });
  const more: readonly Fact[] = [
    ["run", `${report.run_id}, series ${report.series_id}, workflow ${report.workflow}`],
    ["when", `${report.started_at} to ${report.ended_at}`],
    ["base", report.base_commit ?? "unknown"],
    ["since", options.decision && describeDecision(options.decision)],
    ...list("notes", notes, notes_total),
    ...list("paths", scope.touched_paths, scope.touched_paths_total),
    ...list(
      "files",
      files.filter((path) => path !== null),
    ),
  ];
  return renderTickCard(report, { ...options, extent: options.isWhole ? "all" : "page", more });
}

function describeDecision(decision: Decision): string {
  if (decision.kind === "undone") return "undone by `relais undo`";
  return `committed as ${decision.commit.slice(0, 12)} on ${neutralise(decision.branch)}`;
}
