/**
 * Settings that silence tools: compared by key and value over all the files of a change, so that a move or another
 * spelling is no change and a stricter value no weakening. A new file is compared with those of its kind that were there.
 */
import { compileForbidden } from "../../base/globs.ts";
import { validateGlob } from "../../base/glob-validity.ts";
import { isCopied } from "../../base/language.ts";
import { type ChangedText, makeWeakening, type FileTests, type Weakening } from "./changed-file.ts";
import type { Kind } from "./kinds.ts";
import { addTo, listNew, type Tally, takeFrom } from "./new-in-change.ts";
import type { ReadSettingsFile } from "./read-settings.ts";
import { isOfManyTools, isSettingsFile, nameSettingsKind } from "./settings-files.ts";
import { describeSettingsFile, type Grade, type Item, type SettingWeight, weighSetting } from "./weigh-settings.ts";

export interface SettingsQuestion extends FileTests {
  readonly changes: readonly ChangedText[];
  readonly read: ReadSettingsFile;
  /** Files of the same kinds, as they were before the change. */
  readonly neighbours: readonly (readonly [path: string, text: string])[];
  /** Every path before the change. */
  readonly paths: readonly string[];
  /** The texts of the files that say what git ignores. */
  readonly ignored: readonly string[];
}

type Found = readonly (readonly [path: string, weakening: Weakening])[];

interface WeighedFile {
  readonly path: string;
  /** Null for a file that is gone. */
  readonly text: string | null;
  readonly before: readonly SettingWeight[];
  readonly after: readonly SettingWeight[];
  /** Null for a file that was there before. */
  readonly neighbours: readonly SettingWeight[] | null;
  /** Nothing that was there can be compared with it. */
  readonly isNote: boolean;
}

/** The most of one file; more say nothing new. */
const FOUND_MAX = 20;

export function findLoosenedSettings(question: SettingsQuestion): Found {
  const known = question.neighbours.map(
    ([path, text]) => [nameSettingsKind(path), weighText(question, path, text) ?? []] as const,
  );
  const changes = question.changes.filter(({ path }) => isSettingsFile(path, question));
  const sides = changes.map(({ path, before, after }) => {
    const [was, is] = [weighText(question, path, before), weighText(question, path, after)];
    const alike = known.filter(([kind]) => kind === nameSettingsKind(path)).map(([, weights]) => weights);
    return { path, text: after, was, is, beside: before === null ? alike : null };
  });
  const files = sides.map(({ path, text, was, is, beside }): WeighedFile => ({
    path,
    text,
    before: is === null ? [] : (was ?? []),
    after: is ?? [],
    neighbours: beside?.flat() ?? null,
    isNote: was === null || (beside !== null && !hasKindred(path, question)),
  }));
  const found = [...findItems(files, question), ...findLowered(files)];
  return [
    ...sides.flatMap(({ path, was, is }) => (is === null ? [[path, describeUnreadable(was === null)] as const] : [])),
    ...files.flatMap((file) => describeFound(file, found)),
  ];
}

/** Also those that could not be read, as in a clone without their content: nobody knows then what they say. */
function hasKindred(path: string, question: SettingsQuestion): boolean {
  const kind = nameSettingsKind(path);
  return question.paths.some((other) => nameSettingsKind(other) === kind && isSettingsFile(other, question));
}

function weighText({ read }: SettingsQuestion, path: string, text: string | null): readonly SettingWeight[] | null {
  if (text === null) return [];
  const file = describeSettingsFile(path);
  return read(path, text)?.flatMap((setting) => weighSetting(setting, file)) ?? null;
}

/** A file that nobody could read before says no less than it did. */
function describeUnreadable(wasUnreadable: boolean): Weakening {
  const weakening = makeWeakening("unreadable_settings", { text: "" }, 0);
  return { ...weakening, text: "what it sets is unknown", ...(wasUnreadable ? { default: "note" as const } : {}) };
}

interface FoundPlace {
  readonly file: WeighedFile;
  readonly kind: Kind;
  /** Null for what is gone. */
  readonly at: number | null;
  readonly text: string;
  readonly isNote: boolean;
}

function describeFound(file: WeighedFile, found: readonly FoundPlace[]): Found {
  const places = new Map<string, Weakening>();
  for (const { file: own, kind, at, text, isNote } of found) {
    if (own !== file) continue;
    const weakening = makeWeakening(kind, { text: file.text ?? "" }, at ?? 0);
    const described = {
      ...weakening,
      ...(at === null ? { text } : {}),
      ...(isNote ? { default: "note" as const } : {}),
    };
    const place = `${kind} ${described.line} ${described.default}`;
    if (!places.has(place)) places.set(place, described);
  }
  return [...places.values()].slice(0, FOUND_MAX).map((weakening) => [file.path, weakening] as const);
}

const nameItem = ({ kind, text }: Item): string => `${kind}\0${normalizeEntry(text)}`;

/** Exceptions that are new, and what is no longer asked for. A file counts by kind: after an edit there are as many. */
function findItems(files: readonly WeighedFile[], question: SettingsQuestion): readonly FoundPlace[] {
  const isWeightless = makeWeightTest(question.ignored);
  const sides = files.map(({ before, after, neighbours }) => {
    const beside = new Set(listItems(neighbours ?? []).map(nameItem));
    return {
      before: listItems(before).filter(({ text }) => !isWeightless(text)),
      after: listItems(after).filter((item) => !isWeightless(item.text) && !beside.has(nameItem(item))),
    };
  });
  const fresh = listNew(sides, nameItem);
  const gone = listNew(
    sides.map(({ before, after }) => ({ before: after, after: before })),
    nameItem,
  );
  return files.flatMap((file, place) => {
    const [added, lost] = [fresh[place] ?? [], gone[place] ?? []];
    const left = takeNet(added, lost, "left_out").filter(({ text }) => !lost.some((old) => covers(old.text, text)));
    const asked = file.text === null ? [] : takeNet(lost, added, "asked_for");
    return [
      ...left.map((item) =>
        describeItem(item, "ignore_entry", { file, isNote: saysLittle(item, file, files, question) }),
      ),
      ...takeNet(added, lost, "argument").map((item) => describeItem(item, "disabled_rule", { file, isNote: false })),
      ...asked
        .filter(({ text }) => !listItems(file.after).some((item) => covers(item.text, text)))
        .map((item) => ({
          ...describeItem(item, "disabled_rule", { file, isNote: !item.isOfRunner || file.isNote }),
          at: null,
          text: `${item.text} is gone`,
        })),
    ];
  });
}

function describeItem({ at, text }: Item, kind: Kind, place: Pick<FoundPlace, "file" | "isNote">): FoundPlace {
  return { ...place, kind, at, text };
}

/** From this many exceptions of a kind on, one more says little. */
const CUSTOM_MIN = 3;

/**
 * A test that was there and is left out says much, even in a runner's first settings, because a runner finds its tests
 * without any. Anything else says little where it is the custom, where the tool is new, or where nothing of this name was.
 */
function saysLittle(item: Item, file: WeighedFile, files: readonly WeighedFile[], question: SettingsQuestion): boolean {
  const named = findNamed(item, file, question);
  if (item.isOfRunner) return named !== null && !named.some(question.isTest);
  if (item.isOfFormatter || file.isNote || named?.length === 0) return true;
  const kind = nameSettingsKind(file.path);
  const others = files.filter(({ path }) => nameSettingsKind(path) === kind).flatMap(({ before }) => before);
  const alike = listItems([...others, ...(file.neighbours ?? [])]).filter(({ name }) => name === item.name);
  return alike.filter(({ kind: own }) => own === "left_out").length >= CUSTOM_MIN || isNewSection(item, file, files);
}

/** The first settings of a tool in a file of many tools. */
function isNewSection({ key }: Item, file: WeighedFile, files: readonly WeighedFile[]): boolean {
  if (!isOfManyTools(file.path)) return false;
  const keys = key.split("\0");
  const section = `${keys.slice(0, keys[0] === "tool" ? 2 : 1).join("\0")}\0`;
  const tool = keys[keys[0] === "tool" ? 1 : 0] ?? "";
  const others = files.filter((other) => other !== file && other.before.length > 0);
  return (
    !file.before.some((weight) => weight.key.startsWith(section)) &&
    !others.some(({ path }) => tool.includes(nameSettingsKind(path)))
  );
}

/** The paths of before the change that an exception names; null for what is no path, and for what cannot be looked up. */
function findNamed(
  { text, isOfRunner }: Item,
  { path }: WeighedFile,
  { paths }: SettingsQuestion,
): readonly string[] | null {
  const entry = normalizeEntry(text);
  if (!(isOfRunner || /[./*]/u.test(entry)) || /[\s:^$\\]/u.test(entry)) return null;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const glob = `${folder.startsWith(".") ? "" : folder}**/${entry}`;
  if (validateGlob(glob) !== null) return null;
  const isNamed = compileForbidden([glob]);
  return paths.filter((other) => isNamed(other) !== null);
}

function listItems(weights: readonly SettingWeight[]): readonly Item[] {
  return weights.filter((weight) => weight.kind !== "grade");
}

/** As many as there are more of than on the other side. */
function takeNet(items: readonly Item[], others: readonly Item[], kind: Item["kind"]): readonly Item[] {
  const own = items.filter((item) => item.kind === kind);
  const net: Tally = new Map();
  addTo(net, kind, own.length - others.filter((item) => item.kind === kind).length);
  return own.filter(() => takeFrom(net, kind));
}

function normalizeEntry(text: string): string {
  const plain = text.trim().replaceAll(/^CS0*(?=\d)|\\(?=\.)/giu, "");
  return plain.replace(/^(?:\.?\/|\*\*\/)+/u, "").replace(/(?:\/\*{0,2})+$/u, "");
}

/** Whether the first one names the second one, too. */
function covers(wide: string, narrow: string): boolean {
  if (/^all$/iu.test(wide) || wide === "*") return true;
  const stem = normalizeEntry(wide).replace(/\*.*$/u, "");
  return stem !== "" && normalizeEntry(narrow).startsWith(stem);
}

const BUILD_OUTPUT =
  /^(?:build|output|target|coverage|htmlcov|env|obj|bin|\.git|\.hg|\.svn|\.eggs|\*\.egg-info|__pypackages__|storybook-static|\*\.(?:tsbuildinfo|pyc)|\.(?:tox|nox|next|nuxt|svelte-kit|turbo|cache|parcel-cache|vercel|output|pnpm-store|gradle|idea|vscode|vs|mypy_cache|ruff_cache|pytest_cache|direnv|nyc_output))$/iu;

/** An entry that names build output, dependencies or what git ignores leaves nothing out that anybody wrote. */
function makeWeightTest(ignored: readonly string[]): (text: string) => boolean {
  const names = new Set(ignored.flatMap((text) => text.split("\n").map(normalizeEntry)));
  const isNamed = (path: string): boolean => !/^[*.]*$/u.test(path) && names.has(path);
  return (text) => {
    const path = normalizeEntry(text);
    if (/\s/u.test(path)) return false;
    const parts = path.split("/");
    return (
      isCopied(path) ||
      isCopied(`${path}/`) ||
      parts.some((part) => BUILD_OUTPUT.test(part) || isNamed(part)) ||
      parts.some((_, end) => isNamed(parts.slice(0, end + 1).join("/")))
    );
  };
}

interface PlacedGrade extends Grade {
  readonly file: WeighedFile;
}

const byGrade = (one: Grade, other: Grade): number => one.grade - other.grade;
const nameGrade = ({ unit, name }: Grade): string => `${unit}\0${name}`;

/** First by the whole key in its own file, then by the end of the key over all files, and last by what is nowhere else. */
function findLowered(files: readonly WeighedFile[]): readonly FoundPlace[] {
  const [fresh, lost]: [PlacedGrade[], PlacedGrade[]] = [[], []];
  const found: FoundPlace[] = [];
  for (const file of files) {
    const [was, is] = [groupGrades(file, file.before), groupGrades(file, file.after)];
    for (const key of new Set([...was.keys(), ...is.keys()])) {
      const [gained, gone] = pairGrades(is.get(key) ?? [], was.get(key) ?? [], found);
      fresh.push(...gained);
      lost.push(...gone);
    }
  }
  const [gained, gone] = pairByName(fresh, lost, found);
  // What several files said may stand in one that they share.
  const isShared = (one: PlacedGrade): boolean =>
    fresh.some((other) => nameGrade(other) === nameGrade(one) && other.grade >= one.grade);
  return [...found, ...gained.flatMap(describeFresh), ...gone.filter((one) => !isShared(one)).flatMap(describeGone)];
}

function groupGrades(file: WeighedFile, weights: readonly SettingWeight[]): ReadonlyMap<string, PlacedGrade[]> {
  const groups = new Map<string, PlacedGrade[]>();
  for (const weight of weights) {
    if (weight.kind !== "grade") continue;
    const key = `${weight.unit}\0${weight.key}`;
    const group = groups.get(key) ?? [];
    groups.set(key, [...group, { ...weight, file }]);
  }
  return groups;
}

/** The rest of both sides. A condition has several values, and its weakest ones are compared first. */
function pairGrades(
  is: readonly PlacedGrade[],
  was: readonly PlacedGrade[],
  found: FoundPlace[],
): readonly [readonly PlacedGrade[], readonly PlacedGrade[]] {
  const gained = subtractGrades(is, was).toSorted(byGrade);
  const gone = subtractGrades(was, is).toSorted(byGrade);
  const pairs = Math.min(gained.length, gone.length);
  for (const [place, one] of gained.slice(0, pairs).entries())
    if (one.grade < (gone[place]?.grade ?? one.grade)) found.push(describeGrade(one));
  return [gained.slice(pairs), gone.slice(pairs)];
}

function subtractGrades(from: readonly PlacedGrade[], others: readonly Grade[]): readonly PlacedGrade[] {
  const known: Tally = new Map();
  for (const { grade } of others) addTo(known, String(grade), 1);
  return from.filter(({ grade }) => !takeFrom(known, String(grade)));
}

function pairByName(fresh: readonly PlacedGrade[], lost: readonly PlacedGrade[], found: FoundPlace[]) {
  const names = new Set([...fresh, ...lost].map(nameGrade));
  const rest = [...names].map((name) =>
    pairGrades(
      fresh.filter((one) => nameGrade(one) === name),
      lost.filter((one) => nameGrade(one) === name),
      found,
    ),
  );
  return [rest.flatMap(([gained]) => gained), rest.flatMap(([, gone]) => gone)] as const;
}

function describeGrade(one: PlacedGrade, isNote = false): FoundPlace {
  const isOff = one.grade === 0 && (one.unit === "switch" || one.unit === "severity");
  return {
    file: one.file,
    kind: isOff ? "disabled_rule" : "lowered_threshold",
    at: one.at,
    text: "",
    isNote,
  };
}

/** A key that was nowhere: with what is off, without a limit and without retries everything began. */
function describeFresh(one: PlacedGrade): readonly FoundPlace[] {
  const beside = (one.file.neighbours ?? [])
    .filter((other) => other.kind === "grade")
    .filter((other) => nameGrade(other) === nameGrade(one));
  if (beside.length > 0) return beside.some(({ grade }) => grade <= one.grade) ? [] : [describeGrade(one)];
  const isLoose = one.unit === "retry" ? one.grade < 0 : one.unit !== "limit" && one.grade === 0;
  return isLoose ? [describeGrade(one, one.file.isNote)] : [];
}

/** In a file that is gone as a whole, a tool went. */
function describeGone({ file, unit, name, grade }: PlacedGrade): readonly FoundPlace[] {
  const isStrict = unit === "limit" || (unit === "switch" && grade === 1);
  if (file.text === null || !isStrict || isImplied(name, file)) return [];
  return [{ file, kind: "lowered_threshold", at: null, text: `${name} is gone`, isNote: file.isNote }];
}

/** `strict` turns on what has a key of its own as well. */
function isImplied(name: string, { after }: WeighedFile): boolean {
  return /^(?:strict.+|noimplicit(?:any|this)|alwaysstrict|useunknownincatch\w+|disallow_.+|warn_.+|check_untyped_defs)$/u.test(
    name,
  )
    ? after.some((weight) => weight.kind === "grade" && weight.name === "strict" && weight.grade === 1)
    : false;
}
