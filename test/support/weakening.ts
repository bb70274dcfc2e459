/** What the rules about weakened checks find in a change of a small repository. */
import { makeDefaultConfig } from "../../src/config/config.ts";
import { checkSteering } from "../../src/checks/pure/check-steering.ts";
import { compileForbidden } from "../../src/base/globs.ts";
import { applyCustoms, countCustoms, isDecidedByCustom } from "../../src/judge/pure/find-patterns.ts";
import { isTestName, type Weakening } from "../../src/judge/pure/changed-file.ts";
import { isManifest } from "../../src/judge/pure/installed-names.ts";
import { listInstalledShadows } from "../../src/judge/pure/new-modules.ts";
import { findLoosenedSettings } from "../../src/judge/pure/find-settings.ts";
import { loadSettingsReader } from "../../src/judge/pure/read-settings.ts";
import { isSettingsFile } from "../../src/judge/pure/settings-files.ts";
import { compareWithTests, findWeakenings } from "../../src/judge/pure/find-weakenings.ts";

const { oracle_globs, templates } = makeDefaultConfig().verification;
const tests = compileForbidden(oracle_globs);
const settings = compileForbidden(checkSteering(templates));
const isTest = (path: string): boolean => tests(path) !== null;

const isSettings = (path: string): boolean => settings(path) !== null;
const read = await loadSettingsReader(["a.yaml", "a.toml"]);

type Files = Readonly<Record<string, string>>;

/** Each weakening with its path. */
export function weakened(before: Files, after: Files, task = ""): readonly (Weakening & { readonly path: string })[] {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (path) => before[path] !== after[path],
  );
  const changes = changed.map((path) => ({ path, before: before[path] ?? null, after: after[path] ?? null }));
  const { found, open, modules } = findWeakenings({ changes, paths: Object.keys(before), task, isTest, isSettings });
  const loosened = findLoosenedSettings({
    changes,
    paths: Object.keys(before),
    isTest,
    isSettings,
    read,
    neighbours: Object.entries(before).filter(([path]) => isSettingsFile(path, { isSettings })),
    ignored: [before[".gitignore"] ?? ""],
  });
  const all = [...found, ...loosened];
  const doubtful = new Set(all.flatMap(([, weakening]) => (isDecidedByCustom(weakening) ? [weakening.kind] : [])));
  const sources = Object.entries(before).filter(([path]) => !isTest(path));
  const customs = countCustoms(doubtful);
  for (const [path, text] of sources) customs.take(path, text);
  const customary = customs.listCustomary();
  const pickTests = (files: Files) => Object.entries(files).filter(([path]) => isTest(path) || isTestName(path));
  const changedTests = pickTests(after).filter(([path]) => changed.includes(path));
  const texts = { before: pickTests(before), after: changedTests };
  const listManifests = (files: Files) => Object.entries(files).filter(([path]) => isManifest(path));
  const manifests = { before: listManifests(before), after: listManifests(after) };
  return [
    ...listInstalledShadows(modules, manifests).map(([path, weakening]) => ({ path, ...weakening })),
    ...all.map(([path, weakening]) => ({ path, ...applyCustoms(weakening, customary) })),
    ...compareWithTests(open, texts, task).map(([path, weakening]) => ({ path, ...weakening })),
  ];
}

/** The kinds that a new line at the end of a file brings. */
export function kindsOfLine(path: string, line: string, before = ""): readonly string[] {
  return [...new Set(weakened({ [path]: before }, { [path]: `${before}${line}\n` }).map(({ kind }) => kind))];
}
