/** New files that take the place of something else: a module with the name of a test tool, an installation's script. */
import type { ChangedFile, ChangedText, Occurrence } from "./changed-file.ts";
import { makeWeakening, readLine, type Weakening } from "./changed-file.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

/** Python looks in the folder of the project first; the last two are loaded before any other module. */
const SHADOWS =
  /^(?:(?:src|lib)\/)?(?:unittest|_?pytest|doctest|nose2?|hypothesis|mock|coverage|sitecustomize|usercustomize)(?:\.py|\/__init__\.py)$/u;

export function listShadows(source: ScannedSource, { path, before }: ChangedFile): readonly Occurrence[] {
  if (before !== null || !SHADOWS.test(path)) return [];
  return [{ kind: "shadowed_module", at: 0, text: readLine(source.text, 0) }];
}

const INSTALL_SCRIPTS = /["'](?:pre|post)?install["']\s*:\s*["']|["']hasInstallScript["']\s*:\s*true/gu;
const MANIFESTS = /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json)$/u;

/** In manifests and in lockfiles, which no other rule reads. */
export function listInstallScripts(changes: readonly ChangedText[]): readonly (readonly [string, Weakening])[] {
  return changes.flatMap(({ path, before, after }) => {
    if (after === null || !MANIFESTS.test(path)) return [];
    const found = listPlaces(after);
    return found
      .slice(listPlaces(before ?? "").length)
      .map((at) => [path, makeWeakening("install_script", { text: after }, at)] as const);
  });
}

function listPlaces(text: string): readonly number[] {
  return [...text.matchAll(INSTALL_SCRIPTS)].map(({ index }) => index);
}
