import type { TickChange } from "../../records/tick-change.ts";
import { listPatchFiles, listPatchLines, type PatchFile, type PatchLine } from "../../judge/pure/patch-files.ts";
import { alignRows } from "./diff-rows.ts";
import type { DiffFile, DiffPage, PageFinding, PlacedFinding } from "./page-documents.ts";
import { compareFiles, listRisks } from "./rank-files.ts";

/** More rows than anybody reads; `relais diff` shows all of them. */
const ROWS_MAX = 60_000;
const FILE_ROWS_MAX = 20_000;

interface DiffSource {
  readonly change: Pick<TickChange, "runId" | "state" | "leftOut">;
  readonly patch: string;
  readonly findings: readonly PageFinding[];
}

/** The change of a tick side by side, the riskiest files first. */
export function makeDiffPage({ change, patch, findings }: DiffSource): DiffPage {
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
