/** What `relais judge --history` found: rates, places, and a diff of the configuration to apply or not. */
import type { JudgedCommit, JudgedPlace } from "../records/judgement.ts";
import { countRules, countStandings, type RuleRate, type Standing } from "../judge/pure/judged-rates.ts";
import type { ProposedSetting } from "../judge/pure/propose-settings.ts";
import { type Canvas, drawBar, renderIndented, renderPairs, renderParagraph, VERBOSE_HINT } from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";
import { countNoun } from "../base/words.ts";

interface HistoryReport {
  readonly commits: readonly JudgedCommit[];
  readonly merges: number;
  readonly unjudged: readonly { readonly commit: string; readonly why: string }[];
  readonly settings: readonly ProposedSetting[];
  readonly diff: string;
  /** Where the rules come from. */
  readonly rules: string;
}

interface HistoryTextOptions extends Canvas {
  /** Whether every place is listed. */
  readonly isWhole: boolean;
}

const STANDINGS: readonly (readonly [Standing, string])[] = [
  ["kept", "would be kept"],
  ["held", "held: a person would have to accept it"],
  ["protected", "refused for a protected path alone"],
  ["refused", "refused"],
];
const PLACES_SHOWN = 3;
const UNJUDGED_SHOWN = 3;

export function renderJudgedHistory(report: HistoryReport, options: HistoryTextOptions): string {
  const { commits, merges, unjudged, rules } = report;
  const all = commits.length;
  const isMerge = merges === 0 ? "" : ` (${countNoun(merges, "merge")}, each as one change)`;
  const lines = [
    ...renderParagraph(`${countNoun(all, "commit")}${isMerge}, judged by ${neutralise(rules)}:`, options),
    ...renderPairs(
      STANDINGS.map(([standing, words]) => [writeRate(countStandings(commits)[standing], all), words]),
      options,
    ),
    ...cut(unjudged, UNJUDGED_SHOWN, options).flatMap((one) =>
      typeof one === "number"
        ? [`  and ${one} more${VERBOSE_HINT}`]
        : renderIndented(`Not judged: ${one.commit.slice(0, ID_SHOWN)}: ${neutralise(one.why)}`, 2, options),
    ),
    ...countRules(commits).flatMap((rate) => renderRule(rate, commits, options)),
    ...renderProposal(report, options),
  ];
  return `${lines.join("\n")}\n`;
}

const ID_SHOWN = 12;

function renderRule(
  { strength, rule, changes, alone }: RuleRate,
  commits: readonly JudgedCommit[],
  options: HistoryTextOptions,
): readonly string[] {
  const places = commits.flatMap(({ commit, places: own }) =>
    own.filter((place) => place.strength === strength && place.rule === rule).map((place) => ({ commit, ...place })),
  );
  // One of each commit says more than many of one.
  const firsts = places.filter(({ commit }, at) => places[at - 1]?.commit !== commit);
  const shown = options.isWhole ? places : firsts;
  const itself = alone === 0 ? "never by itself" : `${alone} by itself`;
  return [
    "",
    options.style("strong", `${strength} by ${rule}: ${writeRate(changes, commits.length)}, ${itself}`),
    ...cut(shown, PLACES_SHOWN, options).flatMap((place) =>
      typeof place === "number" ? [`  and ${place} more${VERBOSE_HINT}`] : renderPlace(place, options),
    ),
  ];
}

function renderPlace(
  { commit, subject, words, kind }: JudgedPlace & { readonly commit: string },
  options: HistoryTextOptions,
): readonly string[] {
  const what = kind === null ? "" : ` (${kind})`;
  return [
    `  ${options.style("faint", commit.slice(0, ID_SHOWN))} ${neutralise(subject)}${neutralise(what)}`,
    ...renderIndented(neutralise(words.trim()), 4, options),
  ];
}

/** The first entries of a list, and how many are left out. */
function cut<T extends object>(
  list: readonly T[],
  max: number,
  { isWhole }: HistoryTextOptions,
): readonly (T | number)[] {
  return isWhole || list.length <= max ? list : [...list.slice(0, max), list.length - max];
}

function renderProposal({ settings, diff, commits }: HistoryReport, options: HistoryTextOptions): readonly string[] {
  if (settings.length === 0) return ["", "No rule that a setting could loosen stopped more than 2 % of this work."];
  const rules = [...new Map(settings.map(({ rule, changes }) => [rule, changes]))].map(
    ([rule, changes]) => `${rule} (${writeRate(changes, commits.length)})`,
  );
  return [
    "",
    ...renderParagraph(
      `Stopped more than 2 % of this work: ${rules.join(", ")}. If all of it was honest, this would let it pass; nothing was changed. To apply it, save the lines below in a file and type \`git apply FILE\`.`,
      options,
    ),
    "",
    ...diff.trimEnd().split("\n").map(neutralise),
  ];
}

function writeRate(changes: number, all: number): string {
  return all === 0 ? "0" : `${changes} (${((100 * changes) / all).toFixed(1)} %)`;
}

export function renderHistoryProgress(done: number, all: number): string {
  return `${drawBar(done, all)} ${done} of ${countNoun(all, "commit")}`;
}
