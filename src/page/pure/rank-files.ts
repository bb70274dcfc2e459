/** Which changed files a person should see first. */
import type { PatchFile } from "../../judge/pure/patch-files.ts";
import { FILES_OF_TOOL, RUNNER_SETTINGS } from "../../checks/pure/steering-files.ts";
import { compileForbidden } from "../../base/globs.ts";
import { makeLockfileFinder } from "../../records/dependencies.ts";
import type { PageFinding } from "./page-documents.ts";

const LARGE_LINES = 200;
const EXECUTABLE = "100755";

interface RankedFile {
  readonly file: PatchFile;
  readonly findings: readonly PageFinding[];
}

interface Risk {
  readonly words: string;
  readonly isGiven: (ranked: RankedFile) => boolean;
}

const matchSteering = compileForbidden(
  [...RUNNER_SETTINGS, ...[...FILES_OF_TOOL.values()].flat()].map((name) => `**/${name}`),
);
const findLockfile = makeLockfileFinder([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "Cargo.lock",
  "go.sum",
  "poetry.lock",
  "uv.lock",
  "Pipfile.lock",
  "Gemfile.lock",
  "composer.lock",
]);
const isTest = (path: string): boolean => /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)/iu.test(path);

/** The most important first. */
const RISKS: readonly Risk[] = [
  { words: "finding", isGiven: ({ findings }) => findings.length > 0 },
  { words: "steers the checks", isGiven: ({ file }) => matchSteering(file.path) !== null },
  { words: "lockfile", isGiven: ({ file }) => findLockfile(file.path) !== null },
  { words: "executable", isGiven: ({ file }) => file.newMode === EXECUTABLE && file.status !== "deleted" },
  { words: "deleted", isGiven: ({ file }) => file.status === "deleted" },
  { words: "binary", isGiven: ({ file }) => file.isBinary },
  { words: "test", isGiven: ({ file }) => isTest(file.path) },
  { words: "large", isGiven: ({ file }) => file.added + file.deleted > LARGE_LINES },
  { words: "new", isGiven: ({ file }) => file.status === "added" },
];

export function listRisks(ranked: RankedFile): readonly string[] {
  return RISKS.filter(({ isGiven }) => isGiven(ranked)).map(({ words }) => words);
}

interface Ranked {
  readonly risks: readonly string[];
  readonly added: number;
  readonly deleted: number;
  readonly path: string;
}

/** By the gravest risk, then by size, then by name. */
export function compareFiles(one: Ranked, other: Ranked): number {
  const byRisk = rank(one) - rank(other);
  if (byRisk !== 0) return byRisk;
  const bySize = other.added + other.deleted - one.added - one.deleted;
  if (bySize !== 0) return bySize;
  return one.path < other.path ? -1 : 1;
}

function rank({ risks: [first] }: Ranked): number {
  const at = RISKS.findIndex(({ words }) => words === first);
  return at === -1 ? RISKS.length : at;
}
