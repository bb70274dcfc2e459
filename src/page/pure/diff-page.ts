import { type PatchLine, type PatchFile, listPatchFiles, listPatchLines } from "../../judge/pure/patch-files.ts";
import { cutText } from "./harmless.ts";
import type { DiffRow, DiffSide, PageFinding, DiffFile, DiffPage, PlacedFinding } from "./page-documents.ts";
import { FILES_OF_TOOL, RUNNER_SETTINGS } from "../../checks/pure/steering-files.ts";
import { compileForbidden } from "../../base/globs.ts";
import { makeLockfileFinder } from "../../records/dependencies.ts";
import type { TickChange } from "../../records/status-answers.ts";

const HUNK = /^@@ -(?<before>\d+)(?:,\d+)? \+(?<after>\d+)(?:,\d+)? @@(?<rest>.*)$/su;
/** One line may be a megabyte. */
const LINE_CHARS = 2000;

/** Side by side: the deleted lines of a block stand beside its added ones. */
export function alignRows(lines: readonly PatchLine[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  const at = { before: 0, after: 0 };
  let deleted: DiffSide[] = [];
  let added: DiffSide[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(deleted.length, added.length); index += 1)
      rows.push({ kind: "lines", left: deleted[index] ?? null, right: added[index] ?? null });
    deleted = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "deleted") deleted.push(makeSide(line, at, "before"));
    else if (line.kind === "added") added.push(makeSide(line, at, "after"));
    else {
      flush();
      rows.push(...makeOuterRow(line, at));
    }
  }
  flush();
  return rows;
}

interface Position {
  before: number;
  after: number;
}

function makeOuterRow(line: PatchLine, at: Position): readonly DiffRow[] {
  if (line.kind === "hunk") {
    const { before = "1", after = "1", rest = "" } = HUNK.exec(line.text)?.groups ?? {};
    at.before = Number(before);
    at.after = Number(after);
    return [{ kind: "hunk", text: cutText(rest.trim(), LINE_CHARS) }];
  }
  // The notice about a missing line break is not one of the lines.
  if (line.kind !== "context" || line.text.startsWith("\\")) return [];
  const left = makeSide(line, at, "before");
  return [{ kind: "lines", left, right: makeSide(line, at, "after") }];
}

function makeSide({ kind, text }: PatchLine, at: Position, side: keyof Position): DiffSide {
  const number = at[side];
  at[side] += 1;
  return { number, text: cutText(text.slice(1), LINE_CHARS), isChanged: kind !== "context" };
}

/** Which changed files a person should see first. */

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

/** More rows than anybody reads; `relais diff` shows all of them. */
const ROWS_MAX = 60_000;
const FILE_ROWS_MAX = 20_000;

/** The change of a tick side by side, the riskiest files first. */
export function makeDiffPage(
  change: Pick<TickChange, "runId" | "state" | "leftOut">,
  patch: string,
  findings: readonly PageFinding[],
): DiffPage {
  const sections = splitFiles(listPatchLines(patch));
  const files = sections
    .flatMap((lines) => listPatchFiles(lines).map((file) => makeFile(file, lines, findings)))
    .toSorted(compareFiles);
  const placed = new Set(files.flatMap((file) => file.findings.map(({ subject }) => subject)));
  return {
    kind: "diff",
    runId: change.runId,
    state: change.state,
    files: limitRows(files),
    leftOut: change.leftOut,
    findings: findings.filter(({ subject }) => !placed.has(subject)),
  };
}

function splitFiles(lines: readonly PatchLine[]): readonly (readonly PatchLine[])[] {
  const sections: PatchLine[][] = [];
  for (const line of lines) {
    if (line.kind === "file") sections.push([]);
    sections.at(-1)?.push(line);
  }
  return sections;
}

function makeFile(file: PatchFile, lines: readonly PatchLine[], all: readonly PageFinding[]): DiffFile {
  const { path, oldPath, status, added, deleted, isBinary, oldMode, newMode } = file;
  const rows = isBinary ? [] : alignRows(lines);
  const findings = all.flatMap((finding) => placeFinding(finding, { path, oldPath, rows }));
  const isModeChange = oldMode !== null && newMode !== null && oldMode !== newMode;
  return {
    path,
    oldPath,
    status,
    added,
    deleted,
    isBinary,
    mode: isModeChange ? `${oldMode} → ${newMode}` : null,
    risks: listRisks({ file, findings }),
    findings,
    rows,
    rowsLeftOut: 0,
  };
}

type FindingPlace = Pick<DiffFile, "path" | "oldPath" | "rows">;

/** The subject is a path, or a path and a line: `src/main.ts:12`. */
function placeFinding(finding: PageFinding, { path, oldPath, rows }: FindingPlace): readonly PlacedFinding[] {
  const { subject } = finding;
  if (subject === path || subject === oldPath) return [{ ...finding, line: null }];
  const line = subject.startsWith(`${path}:`) ? Number(subject.slice(path.length + 1)) : Number.NaN;
  if (!Number.isInteger(line)) return [];
  const isShown = rows.some((row) => row.kind === "lines" && row.right?.number === line);
  return [{ ...finding, line: isShown ? line : null }];
}

function limitRows(files: readonly DiffFile[]): readonly DiffFile[] {
  let left = ROWS_MAX;
  return files.map((file) => {
    const kept = Math.min(file.rows.length, FILE_ROWS_MAX, left);
    left -= kept;
    if (kept === file.rows.length) return file;
    return { ...file, rows: file.rows.slice(0, kept), rowsLeftOut: file.rows.length - kept };
  });
}
