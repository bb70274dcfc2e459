import { statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parseWith } from "../base/schema-error.ts";
import type { Environment } from "../base/environment.ts";
import { UNSAFE } from "../system/redo-log.ts";
import { parseJson } from "../system/parse-json.ts";
import { readNow } from "../system/read-files.ts";
import { runGit } from "./git.ts";
import { findGitProgram } from "./git-program.ts";

/** The oldest git that has everything that relais asks of it. */
export const GIT_WANTED: readonly number[] = [2, 36];

const SavedVersion = v.strictObject({ stamp: v.string(), version: v.string() });
const NAME = "git-version";
const BYTES_MAX = 16 * 1024;
/** Git itself is some megabytes. */
const SCRIPT_BYTES_MAX = 512n * 1024n;

/** By the program file and its times. */
const known = new Map<string, string>();

/** The version in git's own words. A program that did not change since a tick asked it is not asked again. */
export async function readGitVersion(
  cwd: string,
  environment: Environment,
  stateDirectory: string | null = null,
): Promise<string> {
  const stamp = stampProgram(cwd, environment);
  const remembered = stamp === null ? undefined : (known.get(stamp) ?? recall(stateDirectory, stamp));
  if (remembered !== undefined) return remembered;
  const { stdout } = await runGit({ args: ["--version"], cwd, environment });
  const version = stdout.toString("utf8").trim();
  if (stamp !== null) known.set(stamp, version);
  return version;
}

/** Whether the git that is run is known to be no script. */
export function isGitProgram(cwd: string, environment: Environment): boolean {
  return stampProgram(cwd, environment) !== null;
}

/** For the next process, by the holder of the lock. */
export function rememberGitVersion(cwd: string, environment: Environment, stateDirectory: string): void {
  const stamp = stampProgram(cwd, environment);
  const version = stamp === null ? undefined : known.get(stamp);
  if (stamp === null || version === undefined || recall(stateDirectory, stamp) === version) return;
  UNSAFE.write(join(stateDirectory, NAME), JSON.stringify({ stamp, version }));
}

function recall(stateDirectory: string | null, stamp: string): string | undefined {
  if (stateDirectory === null) return undefined;
  try {
    const text = readNow(join(stateDirectory, NAME), { bytesMax: BYTES_MAX })?.toString("utf8") ?? "";
    const saved = parseWith(SavedVersion, parseJson(text));
    return saved.kind === "valid" && saved.value.stamp === stamp ? saved.value.version : undefined;
  } catch {
    return undefined; // Git is asked.
  }
}

/** Null for a script, which may start another git at any time. */
function stampProgram(cwd: string, environment: Environment): string | null {
  const file = findGitProgram(cwd, environment)?.file;
  if (file === undefined) return null;
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return size < SCRIPT_BYTES_MAX ? null : [file, dev, ino, size, mtimeNs, ctimeNs].join(":");
  } catch {
    return null;
  }
}
