/** How often the judge stopped work that was merged: by rule, by size, by language and by the way it came. */
import type { JudgedPlace } from "../../src/records/judgement.ts";
import {
  countKinds,
  countRules,
  countStandings,
  PROTECTED_RULE,
  type RuleRate,
} from "../../src/judge/pure/judged-rates.ts";
import { writeRows } from "../../scripts/write-rows.ts";
import type { Way } from "./sample-work.ts";

/** One merged change, judged. */
export interface Stranger {
  readonly project: string;
  readonly range: string;
  readonly lines: number;
  readonly language: string;
  readonly way: Way;
  /** Why there is no judgement; null where there is one. */
  readonly interrupted: string | null;
  readonly places: readonly JudgedPlace[];
  readonly cpuSeconds: number;
}

/** Where a change counts as a large one. */
export const LARGE_LINES = 1000;

function isLarge({ lines }: Pick<Stranger, "lines">): boolean {
  return lines > LARGE_LINES;
}

/** Of so many changes, so many with each end. What is measured comes first, and a protected path by itself last. */
interface Group {
  readonly name: string;
  readonly of: number;
  readonly evidence: number;
  readonly held: number;
  readonly protected: number;
  readonly interrupted: number;
}

/** How often work of strangers meets a kind, whatever comes of it; and how often it is held by nothing but this kind. */
export interface KindRate {
  readonly met: number;
  readonly heldAlone: number;
  readonly metByLarge: number;
  readonly heldAloneOfLarge: number;
}

interface RuleGroup extends Omit<RuleRate, "changes" | "alone"> {
  readonly all: Pick<RuleRate, "changes" | "alone">;
  readonly large: Pick<RuleRate, "changes" | "alone">;
}

export interface StrangerRates {
  readonly of: number;
  readonly ofLarge: number;
  readonly groups: readonly Group[];
  readonly languages: readonly Group[];
  readonly rules: readonly RuleGroup[];
  readonly kinds: readonly RuleGroup[];
  readonly cpu: { readonly median: number; readonly worst: number; readonly worstOf: string };
}

const WAYS: readonly Way[] = ["pull request of an agent", "pull request", "commit"];

/** `added` are further large changes, which count among the large ones only. */
export function countRates(strangers: readonly Stranger[], added: readonly Stranger[] = []): StrangerRates {
  const large = [
    ...new Map([...strangers.filter(isLarge), ...added].map((one) => [`${one.project} ${one.range}`, one])).values(),
  ];
  const byCost = strangers.toSorted((one, other) => one.cpuSeconds - other.cpuSeconds);
  const dearest = byCost.at(-1);
  return {
    of: strangers.length,
    ofLarge: large.length,
    groups: [
      countGroup("all", strangers),
      countGroup(
        `<= ${LARGE_LINES} lines`,
        strangers.filter((one) => !isLarge(one)),
      ),
      countGroup(`> ${LARGE_LINES} lines`, large),
      ...WAYS.map((way) =>
        countGroup(
          way,
          strangers.filter((one) => one.way === way),
        ),
      ),
    ],
    languages: [...new Set(strangers.map(({ language }) => language))].toSorted().map((name) =>
      countGroup(
        name,
        strangers.filter(({ language }) => language === name),
      ),
    ),
    rules: joinSizes(countRules(strangers), countRules(large)),
    kinds: joinSizes(countKinds(strangers), countKinds(large)),
    cpu: {
      median: byCost[Math.floor(byCost.length / 2)]?.cpuSeconds ?? 0,
      worst: dearest?.cpuSeconds ?? 0,
      worstOf: dearest === undefined ? "" : `${dearest.project} ${dearest.range}`,
    },
  };
}

/** By kind, for `measured.json`: the table of the rules and the test of their defaults are made from it. */
export function countMet({ kinds }: StrangerRates): Readonly<Record<string, KindRate>> {
  const met = new Map<string, KindRate>();
  for (const { strength, kind, all, large } of kinds.filter(({ rule }) => rule !== PROTECTED_RULE)) {
    if (kind === null) continue;
    const known = met.get(kind) ?? { met: 0, heldAlone: 0, metByLarge: 0, heldAloneOfLarge: 0 };
    const isHeld = strength === "held";
    met.set(kind, {
      met: known.met + all.changes,
      heldAlone: known.heldAlone + (isHeld ? all.alone : 0),
      metByLarge: known.metByLarge + large.changes,
      heldAloneOfLarge: known.heldAloneOfLarge + (isHeld ? large.alone : 0),
    });
  }
  return Object.fromEntries([...met].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function countGroup(name: string, strangers: readonly Stranger[]): Group {
  const { refused: evidence, held, protected: ofPaths } = countStandings(strangers);
  const interrupted = strangers.filter((one) => one.interrupted !== null).length;
  return { name, of: strangers.length, evidence, held, protected: ofPaths, interrupted };
}

function joinSizes(all: readonly RuleRate[], large: readonly RuleRate[]): readonly RuleGroup[] {
  return all.map(({ changes, alone, ...name }) => {
    const same = large.find(
      (one) => one.strength === name.strength && one.rule === name.rule && one.kind === name.kind,
    );
    return { ...name, all: { changes, alone }, large: { changes: same?.changes ?? 0, alone: same?.alone ?? 0 } };
  });
}

function writeGroups(head: string, list: readonly Group[]): string {
  return writeRows(
    [head, "changes", "evidence", "held", "protected paths alone", "interrupted"],
    list.map((group) => [
      group.name,
      String(group.of),
      ...[group.evidence, group.held, group.protected, group.interrupted].map((count) => writeRate(count, group.of)),
    ]),
  );
}

export function renderRates({ of, ofLarge, groups, languages, rules, kinds, cpu }: StrangerRates): string {
  const writeRules = (head: string, list: readonly RuleGroup[]): string =>
    writeRows(
      [head, `of ${of}`, "by itself", `of ${ofLarge} large ones`, "by itself"],
      list.map(({ strength, rule, kind, all, large }) => [
        [strength, rule, ...(kind === null ? [] : [kind])].join(": "),
        writeRate(all.changes, of),
        strength === "note" ? "" : writeRate(all.alone, of),
        writeRate(large.changes, ofLarge),
        strength === "note" ? "" : String(large.alone),
      ]),
    );
  return [
    writeGroups("", groups),
    writeGroups("language", languages),
    writeRules("rule", rules),
    writeRules("kind", kinds),
    `CPU of a range: median ${cpu.median.toFixed(2)} s, worst ${cpu.worst.toFixed(2)} s (${cpu.worstOf})`,
  ].join("\n\n");
}

function writeRate(changes: number, of: number): string {
  return of === 0 ? "-" : `${changes} (${((100 * changes) / of).toFixed(2)} %)`;
}

/** By rule: each place, quoted. */
export function renderPlaces(strangers: readonly Stranger[]): string {
  const lines = strangers.flatMap(({ project, range, places }) =>
    places.map(({ strength, rule, kind, subject, words }) =>
      [strength, rule, kind ?? "", project, range, subject, words.replaceAll(/\s+/gu, " ")].join("\t"),
    ),
  );
  return lines.toSorted().join("\n");
}
