/** Collects the places where a change weakens the checks. Large, binary and ignored files are not read. */
import type { Change, Rules } from "../records/evidence.ts";
import { compileForbidden } from "../base/globs.ts";
import { type ChangedText, isTestName, type Weakening } from "../judge/pure/changed-file.ts";
import { applyCustoms, countCustoms, isDecidedByCustom } from "../judge/pure/find-patterns.ts";
import { compareWithTests, findWeakenings, type WeakeningAnswer } from "../judge/pure/find-weakenings.ts";
import { isImported, isUnderTest } from "../judge/pure/find-test-reads.ts";
import { findNoEffect } from "../judge/pure/find-no-effect.ts";
import { noteSparse } from "../judge/pure/note-sparse.ts";
import { isManifest } from "../judge/pure/installed-names.ts";
import { listInstalledShadows } from "../judge/pure/new-modules.ts";
import { isSettingsFile, nameSettingsKind } from "../judge/pure/settings-files.ts";
import { findLanguage, type Language } from "../base/language.ts";
import { hideCredentials } from "./find-credentials.ts";
import type { ChangedContent, ContentFile } from "./find-forbidden-content.ts";

type ContentSide = Pick<ContentFile, "id" | "size">;

export interface WeakeningSources {
  readonly rules: Rules;
  readonly changes: readonly (Pick<ChangedContent, "path" | "before"> & { readonly after: ContentSide | null })[];
  /** The tracked paths before the change. */
  readonly listPaths: () => Promise<Iterable<string>>;
  readonly readContents: (wanted: readonly ContentSide[]) => Promise<ReadonlyMap<string, Buffer>>;
  /** The content before the change, of those that can be read. */
  readonly readFiles: (paths: readonly string[]) => AsyncIterable<readonly [path: string, content: Buffer]>;
}

const FILE_BYTES_MAX = 1024 * 1024;
/** Larger changes are judged by their first files; a person reads none of them to the end either. */
const CHANGES_MAX = 2000;
const FILES_MAX = 3000;
const TOTAL_BYTES_MAX = 12 * 1024 * 1024;

/** In place of a text: no reader takes it. */
const NO_TEXT = "\0";

type Weakened = NonNullable<Change["weakened"]>;

/** By path. */
export async function findWeakenedChecks(sources: WeakeningSources): Promise<ReadonlyMap<string, Weakened>> {
  const { weakening } = sources.rules;
  if (weakening === undefined || sources.changes.length === 0) return new Map();
  const [tests, settings] = [compileForbidden(weakening.test_globs), compileForbidden(weakening.settings_globs)];
  const isTest = (path: string): boolean => tests(path) !== null;
  const isSettings = (path: string): boolean => settings(path) !== null;
  const changes = await readTexts(sources, (path) => isSettingsFile(path, { isSettings }));
  const idle = listIdleChanges(sources, changes, isTest);
  if (changes.length === 0) return groupByPath(idle);
  const paths = await sources.listPaths();
  const task = sources.rules.weakening?.task_text;
  const answer = findWeakenings({ changes, paths, task, isTest, isSettings });
  const repository = { sources, paths, isTest, changes };
  const found = [
    ...(await judgeByCustom(await leaveOutImported(answer.found, repository), repository)),
    ...(await judgeByTests(answer, repository)),
    ...(await judgeByManifests(answer, repository)),
    ...(await judgeSettings(repository, isSettings)),
    ...idle,
  ];
  // What they quote is published.
  return groupByPath(await hideCredentials(noteSparse(found, changes)));
}

/** Only where a task asks for a change. Folders and links, which have no text, are no work either. */
function listIdleChanges(
  { rules, changes: all }: WeakeningSources,
  changes: readonly ChangedText[],
  isTest: (path: string) => boolean,
): WeakeningAnswer["found"] {
  const task = rules.weakening?.task_text;
  if (rules.change_required !== true || task === undefined) return [];
  const known = new Set(changes.map(({ path }) => path));
  const others = all.filter(({ path, before, after }) => !known.has(path) && (before !== null || after !== null));
  return findNoEffect(
    changes,
    others.map(({ path }) => path),
    task,
    isTest,
  );
}

interface RepositoryTexts {
  readonly sources: WeakeningSources;
  readonly paths: Iterable<string>;
  readonly isTest: (path: string) => boolean;
  readonly changes: readonly ChangedText[];
}

/** Settings come first, and those that are no text are not passed over: nobody knows what they set. */
async function readTexts(
  { changes, readContents }: WeakeningSources,
  isSettings: (path: string) => boolean,
): Promise<readonly ChangedText[]> {
  const readable = changes
    .filter(
      ({ path, before, after }) =>
        isSettings(path) || (findLanguage(path, "#!/bin/sh") !== null && isSmall(before) && isSmall(after)),
    )
    .toSorted((one, other) => Number(isSettings(other.path)) - Number(isSettings(one.path)))
    .slice(0, CHANGES_MAX);
  const sides = readable.flatMap(({ before, after }) => [before, after].filter((side) => side !== null));
  const contents = await readContents(sides.filter(isSmall));
  return readable.map(({ path, before, after }) => {
    const read = (side: ContentSide | null): string | null =>
      side === null ? null : (decodeText(contents.get(side.id)) ?? (isSettings(path) ? NO_TEXT : null));
    return { path, before: read(before), after: read(after) };
  });
}

function isSmall(side: ContentSide | null): boolean {
  return side === null || side.size <= FILE_BYTES_MAX;
}

/** Null for content that is no text. */
function decodeText(content: Buffer | undefined): string | null {
  return content === undefined || content.length > FILE_BYTES_MAX || content.includes(0) ? null : content.toString();
}

/** How many neighbours a new settings file is compared with. */
const NEIGHBOURS_MAX = 20;

/** The code, and the parsers, are loaded only where such a file changed. */
async function judgeSettings(
  repository: RepositoryTexts,
  isSettings: (path: string) => boolean,
): Promise<WeakeningAnswer["found"]> {
  const changes = repository.changes.filter(({ path }) => isSettingsFile(path, { isSettings }));
  if (changes.length === 0) return [];
  const [{ findLoosenedSettings }, { loadSettingsReader }] = await Promise.all([
    import("../judge/pure/find-settings.ts"),
    import("../judge/pure/read-settings.ts"),
  ]);
  const paths = [...repository.paths];
  const beside = listSettingsBeside(changes, paths, (path) => isSettingsFile(path, { isSettings }));
  const ignoring = paths.filter((path) => /(?:^|\/)\.gitignore$/u.test(path)).slice(0, NEIGHBOURS_MAX);
  const texts = new Map<string, string>();
  for await (const [path, text] of readBefore(repository, [...beside, ...ignoring])) texts.set(path, text);
  return findLoosenedSettings({
    changes,
    paths,
    isTest: repository.isTest,
    isSettings,
    read: await loadSettingsReader([...changes.map(({ path }) => path), ...beside]),
    neighbours: beside.flatMap((path) => (texts.has(path) ? [[path, texts.get(path) ?? ""] as const] : [])),
    ignored: ignoring.map((path) => texts.get(path) ?? ""),
  });
}

/** The nearest files of the same kinds as the new ones. */
function listSettingsBeside(
  changes: readonly ChangedText[],
  paths: readonly string[],
  isSettings: (path: string) => boolean,
): readonly string[] {
  const fresh = changes.filter(({ before }) => before === null).map(({ path }) => path);
  const kinds = new Set(fresh.map(nameSettingsKind));
  if (kinds.size === 0) return [];
  const countShared = (path: string): number => Math.max(...fresh.map((other) => countCommon(path, other)));
  return paths
    .filter((path) => kinds.has(nameSettingsKind(path)) && isSettings(path))
    .map((path) => [path, countShared(path)] as const)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, NEIGHBOURS_MAX)
    .map(([path]) => path);
}

function countCommon(path: string, other: string): number {
  const [own, theirs] = [path.split("/").slice(0, -1), other.split("/").slice(0, -1)];
  const differs = own.findIndex((part, place) => part !== theirs[place]);
  return differs === -1 ? own.length : differs;
}

/** Without the modules that other product code imported before. */
async function leaveOutImported(
  found: WeakeningAnswer["found"],
  repository: RepositoryTexts,
): Promise<WeakeningAnswer["found"]> {
  const open = new Set(found.filter(([, { kind }]) => kind === "reads_tests"));
  if (open.size === 0) return found;
  const isTest = (path: string): boolean => repository.isTest(path) || isTestName(path);
  const code = [...repository.paths].filter((path) => !isTest(path) && findLanguage(path, "") !== null);
  const imported = new Set<WeakeningAnswer["found"][number]>();
  for await (const [path, text] of readBefore(repository, code)) {
    if (!isUnderTest({ path, role: "source" })) continue;
    for (const one of open) if (isImported(one[1].text, text)) imported.add(one);
    if (imported.size === open.size) break;
  }
  return found.filter((one) => !imported.has(one));
}

async function judgeByCustom(
  found: WeakeningAnswer["found"],
  repository: RepositoryTexts,
): Promise<WeakeningAnswer["found"]> {
  const kinds = new Set(found.flatMap(([, weakening]) => (isDecidedByCustom(weakening) ? [weakening.kind] : [])));
  if (kinds.size === 0) return found;
  const others = [...repository.paths].filter((path) => !repository.isTest(path) && findLanguage(path, "") !== null);
  const customs = countCustoms(kinds);
  for await (const [path, text] of readBefore(repository, others)) {
    customs.take(path, text);
    if (!customs.isOpen()) break;
  }
  const customary = customs.listCustomary();
  return found.map(([path, weakening]) => [path, applyCustoms(weakening, customary)]);
}

async function judgeByTests({ open }: WeakeningAnswer, repository: RepositoryTexts): Promise<WeakeningAnswer["found"]> {
  if (open.files.length === 0) return [];
  const isTest = (path: string): boolean => repository.isTest(path) || isTestName(path);
  const paths = [...repository.paths].filter(isTest);
  const tests: (readonly [string, string])[] = [];
  for await (const test of readBefore(repository, paths)) tests.push(test);
  const changed = repository.changes.flatMap(({ path, after }) =>
    after !== null && isTest(path) ? [[path, after] as const] : [],
  );
  return compareWithTests(open, { before: tests, after: changed }, repository.sources.rules.weakening?.task_text);
}

async function judgeByManifests(
  { modules }: WeakeningAnswer,
  repository: RepositoryTexts,
): Promise<WeakeningAnswer["found"]> {
  if (modules.length === 0) return [];
  const around = new Set(modules.flatMap(({ change }) => listFolders(change.path)));
  const isNear = (path: string): boolean => isManifest(path) && around.has(path.slice(0, path.lastIndexOf("/") + 1));
  const before: (readonly [path: string, text: string])[] = [];
  for await (const one of readBefore(repository, [...repository.paths].filter(isNear))) before.push(one);
  const changed = new Map(repository.changes.map(({ path, after }) => [path, after]));
  const after = before.map(([path, text]) => [path, changed.get(path) ?? text] as const);
  return listInstalledShadows(modules, { before, after });
}

/** Those above a file, with a slash at the end. */
function listFolders(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, place) =>
    parts
      .slice(0, place)
      .map((part) => `${part}/`)
      .join(""),
  );
}

async function* readBefore({ sources, changes }: RepositoryTexts, paths: readonly string[]) {
  const changed = new Map(changes.map(({ path, before }) => [path, before]));
  let bytes = 0;
  const wanted = putCodeFirst(paths).slice(0, FILES_MAX);
  for (const path of wanted) {
    const text = changed.get(path) ?? null;
    if (text !== null) yield [path, text] as const;
  }
  for await (const [path, content] of sources.readFiles(wanted.filter((name) => !changed.has(name)))) {
    bytes += content.length;
    if (bytes > TOTAL_BYTES_MAX) break;
    const text = decodeText(content);
    if (text !== null) yield [path, text] as const;
  }
}

/** Recorded answers and other data of tests may be far larger than all of their code, and tell less. */
function putCodeFirst(paths: readonly string[]): readonly string[] {
  return [...paths.filter(isCode), ...paths.filter((path) => !isCode(path))];
}

function isCode(path: string): boolean {
  return !NO_CODE.includes(findLanguage(path, ""));
}

const NO_CODE: readonly (Language | null)[] = ["settings", null];

function groupByPath(found: readonly (readonly [string, Weakening])[]): ReadonlyMap<string, Weakened> {
  const byPath = new Map<string, Weakened>();
  for (const [path, weakening] of found) {
    const known = byPath.get(path);
    if (known === undefined) byPath.set(path, [weakening]);
    else known.push(weakening);
  }
  return byPath;
}
