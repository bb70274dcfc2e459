import type { PatchLine } from "../../judge/pure/patch-files.ts";
import { cutText } from "./harmless.ts";
import type { DiffRow, DiffSide } from "./page-documents.ts";

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
