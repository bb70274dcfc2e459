/** The change of a tick, to read: what became of it, its files with their numbers, and its patch. */
import type { TickChange } from "../records/status-answers.ts";
import type { LeftOut } from "../records/kept-work.ts";
import { listPatchFiles, listPatchLines, type PatchFile } from "../judge/pure/patch-files.ts";
import { countNoun } from "../base/words.ts";
import { renderPatchLines } from "./judgement-text.ts";
import { type Canvas, measureWidth, renderParagraph } from "../base/canvas.ts";
import { measureDisplayWidth, padText, splitClusters } from "../base/wrap-text.ts";
import { neutralise } from "../base/style.ts";

const decoder = new TextDecoder();

export function renderDiff(change: TickChange, canvas: Canvas): string {
  const patch = decoder.decode(change.patch);
  const files = listPatchFiles(listPatchLines(patch));
  const body = patch === "" ? [] : ["", ...renderPatchLines(patch, { style: canvas.style, isWhole: true })];
  const lines = [...renderHead(change, files, canvas), ...renderLeftOut(change.leftOut, canvas), ...body];
  return `${lines.join("\n")}\n`;
}

export function renderDiffStat(change: TickChange, canvas: Canvas): string {
  const files = listPatchFiles(listPatchLines(decoder.decode(change.patch)));
  const lines = [
    ...renderHead(change, files, canvas),
    ...renderFiles(files, canvas),
    ...renderLeftOut(change.leftOut, canvas),
  ];
  return `${lines.join("\n")}\n`;
}

function renderHead(change: TickChange, files: readonly PatchFile[], canvas: Canvas): readonly string[] {
  const { runId, intent } = change;
  const head = renderParagraph(`${neutralise(runId)}  ${describeState(change)}`, canvas);
  const what = `${describeSize(files)}${intent === null ? "" : `  ${neutralise(intent)}`}`;
  return [...head.map((line) => canvas.style("strong", line)), ...renderParagraph(what, canvas)];
}

function describeState({ state, commit, branch }: TickChange): string {
  switch (state) {
    case "running":
      return "running: the change so far";
    case "committed":
      return `committed as ${(commit ?? "").slice(0, 12)}${branch === null ? "" : ` on ${neutralise(branch)}`}`;
    case "kept":
      return "kept, not committed";
    case "reverted":
      return "reverted, saved in salvage";
    case "undone":
      return "undone";
    default:
      return state;
  }
}

function describeSize(files: readonly PatchFile[]): string {
  if (files.length === 0) return "no changed file";
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const deleted = files.reduce((sum, file) => sum + file.deleted, 0);
  return `${countNoun(files.length, "file")} +${added} -${deleted}`;
}

const BAR_MAX = 30;
const NAME_MIN = 16;

function renderFiles(files: readonly PatchFile[], canvas: Canvas): readonly string[] {
  const names = files.map(describeFile);
  const counts = files.map(({ added, deleted, isBinary }) => (isBinary ? "bin" : `${added + deleted}`));
  const countWidth = Math.max(0, ...counts.map((text) => text.length));
  const widest = Math.max(0, ...names.map(measureDisplayWidth));
  const room = measureWidth(canvas) - countWidth - 6;
  const width = Math.max(NAME_MIN, Math.min(widest, room - 10));
  const bar = Math.max(0, Math.min(BAR_MAX, room - width));
  const most = Math.max(1, ...files.map(({ added, deleted }) => added + deleted));
  const scale = Math.min(1, bar / most);
  return files.map((file, index) => {
    const name = padText(cutStart(names[index] ?? "", width), width);
    const count = (counts[index] ?? "").padStart(countWidth);
    return ` ${name} | ${count} ${drawChange(file, scale, canvas)}`.trimEnd();
  });
}

function drawChange({ added, deleted, isBinary }: PatchFile, scale: number, { style }: Canvas): string {
  const draw = (sign: string, count: number): string =>
    count === 0 ? "" : sign.repeat(Math.max(1, Math.floor(count * scale)));
  if (isBinary) return "";
  return `${added === 0 ? "" : style("good", draw("+", added))}${deleted === 0 ? "" : style("bad", draw("-", deleted))}`;
}

const MARKS: Readonly<Record<PatchFile["status"], string>> = {
  added: " (new)",
  deleted: " (gone)",
  modified: "",
  renamed: "",
  copied: "",
};

function describeFile({ path, oldPath, status, oldMode, newMode }: PatchFile): string {
  const mode = status === "modified" && oldMode !== null && newMode !== null ? ` (mode ${oldMode} → ${newMode})` : "";
  const name = oldPath === null ? path : `${oldPath} → ${path}`;
  return `${neutralise(name)}${MARKS[status]}${mode}`;
}

/** The end of a path says more than its beginning. */
function cutStart(text: string, width: number): string {
  const characters = [...splitClusters(text)];
  let kept = text;
  while (measureDisplayWidth(kept) > width && characters.length > 0) {
    characters.shift();
    kept = `…${characters.join("")}`;
  }
  return kept;
}

const REASONS: Readonly<Record<LeftOut["reason"], string>> = {
  ignored: "ignored by git",
  forbidden: "under a forbidden glob",
  runner_owned: "owned by relais",
  nested_repository: "another repository",
  name: "a name that git cannot store",
  type: "not a file",
  size: "too large",
};
const LEFT_OUT_SHOWN = 5;

/** Ignored files are what checks and builds leave behind, so they are only counted. */
function renderLeftOut(leftOut: readonly LeftOut[], { style }: Canvas): readonly string[] {
  const named = leftOut.filter(({ reason }) => reason !== "ignored");
  const ignored = leftOut.length - named.length;
  const hidden = named.length - LEFT_OUT_SHOWN;
  return [
    ...named
      .slice(0, LEFT_OUT_SHOWN)
      .map(({ path, reason }) => style("faint", `not shown: ${neutralise(path)} (${REASONS[reason]})`)),
    ...(hidden > 0 ? [style("faint", `and ${hidden} more`)] : []),
    ...(ignored > 0 ? [style("faint", `not shown: ${countNoun(ignored, "ignored file")}`)] : []),
  ];
}
