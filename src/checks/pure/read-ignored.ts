/**
 * Ignored files that the builder changed and a check read are part of what decides the check, whatever they are: byte
 * code, build output, dependencies, caches. Where nobody knows what was read, everything counts that a program could
 * load or obey.
 */
import type { Config } from "../../config/config.ts";
import type { Change } from "../../records/evidence.ts";
import type { Finding } from "../../records/judgement.ts";
import { listPathNote } from "../../base/words.ts";

interface IgnoredReads {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** The files that a check may load although no diff shows them. */
export function listIgnoredFiles(changes: readonly Change[]): readonly Change[] {
  return changes.filter(
    ({ standing, after }) => standing === "ignored" && (after?.type === "file" || after?.type === "symlink"),
  );
}

export function findIgnoredReads(
  changes: readonly Change[] /** Whether the checks read the path; undefined if nobody knows. */,
  wasRead: (path: string) => boolean | undefined,
  policy: Config["verification"]["oracle"],
): IgnoredReads {
  if (policy === "off") return { findings: [], notes: [] };
  const files = listIgnoredFiles(changes);
  const read = files.filter(({ path }) => wasRead(path) === true);
  const maybe = files.filter((change) => wasRead(change.path) === undefined && isLoadable(change));
  if (policy === "frozen") return { findings: [...read, ...maybe].map(refuse), notes: [] };
  return {
    findings: [],
    notes: [
      ...listPathNote("The checks read ignored files that the builder changed", read.map(readPath)),
      ...listPathNote("The checks may have read ignored files that the builder changed", maybe.map(readPath)),
    ],
  };
}

function readPath({ path }: Change): string {
  return path;
}

function refuse({ path }: Change): Finding {
  const rule = "A check reads this ignored file, which the builder changed: verification.oracle is `frozen`.";
  return { gate: "oracle", code: "STOP_SCOPE_VIOLATION_FORBIDDEN", subject: path, rule, glob: null };
}

/** Links, programs, hidden files, and the endings of code, archives and settings. */
function isLoadable({ path, after }: Change): boolean {
  if (after === null || after.type === "symlink" || (Number.parseInt(after.mode, 8) & 0o111) !== 0) return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.startsWith(".") || CODE.test(name) || SETTINGS.test(name);
}

const CODE =
  /\.(?:[cm]?[jt]sx?|py[cdow]?|pth|rb|p[lm]|php|lua|jl|[ck]?sh|so|so\.[\d.]+|dylib|dll|node|wasm|jar|class|beam|r?lib|rmeta|[ao]|egg|whl|zip|phar|gem)$/iu;
const SETTINGS = /\.(?:json[5c]?|toml|ya?ml|ini|cfg|conf|env|properties|tsbuildinfo|lock)$/iu;
