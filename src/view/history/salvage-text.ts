/** Work that was put back and kept: a line for each tick, or what one of them holds. */
import type { Code } from "../../contract/values/codes.ts";
import { countNoun } from "../../core/words/count-noun.ts";
import { type Canvas, renderEntry, renderLabelled, renderMarked, renderSteps, measureWidth } from "../text/canvas.ts";
import { formatMoment } from "../text/duration-text.ts";
import { neutralise } from "../text/neutralise.ts";
import { renderPatchLines } from "../cards/patch-lines.ts";
import { measureDisplayWidth } from "../text/display-width.ts";
import { padText } from "../text/wrap-text.ts";

/** What is known of one salvage without opening it. */
export interface SalvageRow {
  readonly runId: string;
  readonly keptAt: string;
  readonly code: Code | null;
  /** How many paths are kept, and how many could not or must not be. */
  readonly files: number;
  readonly leftOut: number;
}

/** Commits and files that were put back and lie outside of any salvage. */
export interface RescuedView {
  readonly objects: string;
  readonly commits: readonly { readonly at: string; readonly ref: string; readonly id: string }[];
  readonly folders: readonly string[];
}

export function renderSalvageList(
  { rows, rescued }: { readonly rows: readonly SalvageRow[]; readonly rescued: RescuedView },
  canvas: Canvas,
): string {
  const lines = [
    ...salvageRows(rows, canvas),
    ...commitLines(rescued, canvas),
    ...rescued.folders.map((folder) => `Ignored files reverted by a recovery: ${neutralise(folder)}`),
  ];
  return lines.length === 0 ? "Nothing saved: no tick was reverted.\n" : `${lines.join("\n")}\n`;
}

function commitLines({ commits, objects }: RescuedView, { style }: Canvas): readonly string[] {
  const [newest] = commits;
  if (newest === undefined) return [];
  const folder = quoted(neutralise(objects));
  const id = newest.id.slice(0, 12);
  return [
    "Reverted commits, stashes and branches:",
    ...commits.map(
      (commit) => `  ${formatMoment(commit.at)}  ${style("strong", commit.id.slice(0, 12))}  ${neutralise(commit.ref)}`,
    ),
    `  look: GIT_ALTERNATE_OBJECT_DIRECTORIES=${folder} git show ${id}`,
    `  back: cp -Rn ${folder}/. "$(git rev-parse --git-common-dir)/objects/" && git branch rescued ${id}`,
  ];
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function salvageRows(rows: readonly SalvageRow[], canvas: Canvas): readonly string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(({ runId }) => measureDisplayWidth(neutralise(runId))));
  return rows.flatMap(({ runId, keptAt, code, files, leftOut }) => {
    const without = leftOut === 0 ? "" : `, ${leftOut} left out`;
    const text = `${countNoun(files, "file")}${without}${code === null ? "" : `  ${code}`}`;
    const name = padText(neutralise(runId), width);
    const [moment, dressed] = [formatMoment(keptAt), canvas.style("strong", name)];
    const head = { head: `${moment}  ${name}`, dressed: `${moment}  ${dressed}` };
    if (measureDisplayWidth(head.head) <= measureWidth(canvas)) return renderEntry({ ...head, text }, canvas);
    return renderEntry({ head: name, dressed, text: `${moment}  ${text}` }, canvas);
  });
}

/** One salvage with its content. */
export interface SalvageDetail {
  readonly runId: string;
  readonly keptAt: string;
  readonly code: Code | null;
  readonly paths: readonly string[];
  /** What is not kept, with the reason: secrets stay out. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
  readonly patch: string | null;
}

interface SalvageShowOptions extends Canvas {
  /** Whether the patch and the lists are shown to their end. */
  readonly isWhole: boolean;
}

const PATHS_SHOWN = 20;

export function renderSalvageShow(detail: SalvageDetail, options: SalvageShowOptions): string {
  const { runId, keptAt, code, paths, leftOut, patch } = detail;
  const shown = options.isWhole ? paths : paths.slice(0, PATHS_SHOWN);
  const missed = options.isWhole ? leftOut : leftOut.slice(0, PATHS_SHOWN);
  const lines = [
    ...renderLabelled("salvage", neutralise(runId), options),
    ...renderLabelled("kept", `${formatMoment(keptAt)} UTC${code === null ? "" : `, after ${code}`}`, options),
    ...shown.flatMap((path, index) => renderLabelled(index === 0 ? "paths" : "", neutralise(path), options)),
    ...more(paths.length - shown.length, options),
    ...missed.flatMap(({ path, reason }, index) => {
      const text = `${neutralise(path)}: ${neutralise(reason)}`;
      return renderMarked(index === 0 ? "left out" : "", { mark: "✗", tone: "bad", text }, options);
    }),
    ...more(leftOut.length - missed.length, options),
    ...(patch === null ? [] : ["", ...renderPatchLines(patch, options)]),
    "",
    "Next:",
    ...renderSteps(
      [
        {
          command: `relais salvage apply ${neutralise(runId)}`,
          explains: "restore it to the working tree, uncommitted",
        },
      ],
      options,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function more(hidden: number, canvas: Canvas): readonly string[] {
  return hidden > 0 ? renderLabelled("", `and ${hidden} more; see them with -v`, canvas) : [];
}
