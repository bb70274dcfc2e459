/** Reverted work that was kept: a line for each tick, or the content of one. */
import type { Rescued } from "../records/decisions.ts";
import type { KeptWork } from "../records/kept-work.ts";
import { countMissed } from "../evidence/pure/unkept-notes.ts";
import { countNoun } from "../base/words.ts";
import {
  BAD,
  type Canvas,
  type Fact,
  listFacts,
  makeStep,
  measureWidth,
  renderEntry,
  renderFacts,
  renderSteps,
  VERBOSE_HINT,
} from "../base/canvas.ts";
import { formatMoment } from "../base/duration-text.ts";
import { neutralise } from "../base/style.ts";
import { renderPatchLines } from "./judgement-text.ts";
import { measureDisplayWidth, padText } from "../base/wrap-text.ts";
import { quoteForShell } from "../base/process-text.ts";

interface SalvageList {
  readonly works: readonly KeptWork[];
  readonly rescued: Rescued;
}

export function renderSalvageList({ works, rescued }: SalvageList, canvas: Canvas): string {
  const lines = [
    ...renderWorks(works, canvas),
    ...renderCommits(rescued, canvas),
    ...rescued.folders.map((folder) => `Ignored files reverted by a recovery: ${neutralise(folder)}`),
  ];
  return lines.length === 0 ? "Nothing saved: no tick was reverted.\n" : `${lines.join("\n")}\n`;
}

function renderCommits({ commits, objects }: SalvageList["rescued"], { style }: Canvas): readonly string[] {
  const [newest] = commits;
  if (newest === undefined) return [];
  const folder = quoteForShell(neutralise(objects));
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

function renderWorks(works: readonly KeptWork[], canvas: Canvas): readonly string[] {
  const width = Math.max(0, ...works.map(({ run_id }) => measureDisplayWidth(neutralise(run_id))));
  return works.flatMap((work) => {
    const { run_id, kept_at, code, files } = work;
    const missed = countMissed(work);
    const without = missed === 0 ? "" : `, ${missed} left out`;
    const text = `${countNoun(files.length, "file")}${without}  ${code}`;
    const name = padText(neutralise(run_id), width);
    const [moment, dressed] = [formatMoment(kept_at), canvas.style("strong", name)];
    const head = { head: `${moment}  ${name}`, dressed: `${moment}  ${dressed}` };
    if (measureDisplayWidth(head.head) <= measureWidth(canvas)) return renderEntry({ ...head, text }, canvas);
    return renderEntry({ head: name, dressed, text: `${moment}  ${text}` }, canvas);
  });
}

interface SalvageShowOptions extends Canvas {
  /** Null where it is missing or too long. */
  readonly patch: string | null;
  /** Whether the patch and the lists are shown to their end. */
  readonly isWhole: boolean;
}

const PATHS_SHOWN = 20;

export function renderSalvageShow(work: KeptWork, options: SalvageShowOptions): string {
  const { run_id, kept_at, code, files, left_out } = work;
  const { patch, isWhole } = options;
  const limits = { max: isWhole ? Infinity : PATHS_SHOWN, hint: VERBOSE_HINT };
  const paths = files.map(({ path }) => neutralise(path));
  const missing = left_out.map(({ path, reason }) => ({ ...BAD, text: `${neutralise(path)}: ${neutralise(reason)}` }));
  const facts: readonly Fact[] = [
    ["salvage", neutralise(run_id)],
    ["kept", `${formatMoment(kept_at)} UTC, after ${code}`],
    ...listFacts("paths", paths, limits),
    ...listFacts("left out", missing, limits),
  ];
  const land = makeStep(
    `relais land ${neutralise(run_id)}`,
    "judge it again and keep it; takes --allow and --new-files",
  );
  const apply = makeStep(`relais salvage apply ${neutralise(run_id)}`, "restore it to the working tree, not judged");
  const lines = [
    ...renderFacts(facts, options),
    ...(patch === null ? [] : ["", ...renderPatchLines(patch, options)]),
    "",
    "Next:",
    ...renderSteps([land, apply], options),
  ];
  return `${lines.join("\n")}\n`;
}
