/**
 * Whether git would store content byte for byte, found without git: no filter, no encoding and no line ending can apply.
 *
 * It reads every attributes file that git would read, and takes any word in one that could convert content for a reason
 * to leave it to git. Rules about line endings and `$Id$` do nothing to content that has neither.
 */
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { joinBytes, toBytePath } from "../files/byte-path.ts";
import { readNow } from "../files/read-now.ts";
import type { FilterSettings } from "../git/filter-settings.ts";
import { findSetting } from "../git/filter-view.ts";
import { findGitProgram } from "../git/git-program.ts";
import type { Repository } from "../git/repository-layout.ts";

interface ContentToStore {
  readonly repository: Repository;
  readonly settings: FilterSettings;
  /** Byte strings, with the content of each. */
  readonly contents: ReadonlyMap<string, Buffer>;
}

const ATTRIBUTES_BYTES_MAX = 1024 * 1024;
const CONVERTING = /filter|encoding|\[attr\]/;
const TURNING_LINES = /text|crlf|eol|ident/;
const OFF = new Set(["", "false", "no", "off", "0"]);

export function isStoredAsIs({ contents, ...storing }: ContentToStore): boolean {
  const isAsIs = makeStorageTest({ ...storing, paths: contents.keys() });
  return isAsIs !== null && [...contents.values()].every(isAsIs);
}

interface StoredPaths extends Pick<ContentToStore, "repository" | "settings"> {
  /** Byte strings. */
  readonly paths: Iterable<string>;
}

/** Tells for content of one of these paths whether it is stored as it is; null where only git can tell. */
export function makeStorageTest(storing: StoredPaths): ((content: Buffer) => boolean) | null {
  const attributes = readAttributes(storing);
  if (attributes === null || CONVERTING.test(attributes)) return null;
  const isTurning = !OFF.has((findSetting(storing.settings, "core.autocrlf") ?? "").toLowerCase());
  if (!isTurning && !TURNING_LINES.test(attributes)) return () => true;
  return (content) => !content.includes("\r") && !content.includes("$Id");
}

/** The text of all attributes that may hold for the paths; null where only git can read them. */
function readAttributes({ repository, settings, paths }: StoredPaths): string | null {
  const configured = findSetting(settings, "core.attributesfile");
  // A sparse checkout may leave attributes out, and git then takes those of the index.
  if (settings.isSparse || (configured !== null && configured !== "" && !isAbsolute(configured))) return null;
  const files = [
    ...listTreeFiles(toBytePath(repository.root), paths),
    join(repository.commonDir, "info", "attributes"),
    ...(configured === null || configured === "" ? [] : [configured]),
    ...listSystemFiles(repository, settings),
  ];
  try {
    return files.map((file) => readNow(file, { bytesMax: ATTRIBUTES_BYTES_MAX })?.toString("latin1") ?? "").join("\n");
  } catch (error) {
    if (error instanceof MeasurementError) return null;
    throw error;
  }
}

function listTreeFiles(root: string, paths: Iterable<string>): readonly Buffer[] {
  const folders = new Set([""]);
  for (const path of paths)
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at + 1));
  return [...folders].map((folder) => joinBytes(root, `${folder}.gitattributes`));
}

/** Git knows the place since it was built: beside its system-wide settings, or at a place that fits its program. */
function listSystemFiles({ root, environment }: Repository, { all }: FilterSettings): ReadonlySet<string> {
  const program = findGitProgram(root, environment)?.file ?? "/usr/bin/git";
  const prefixes = [program, realpathSync.native(program)].map((file) => dirname(dirname(file)));
  const folders = [
    "/etc",
    ...prefixes.flatMap((prefix) => [join(prefix, "etc"), join(prefix, "share", "git-core")]),
    ...all.flatMap(({ origin }) => (origin.startsWith("file:/") ? [dirname(origin.slice("file:".length))] : [])),
  ];
  return new Set(folders.map((folder) => join(folder, "gitattributes")));
}
