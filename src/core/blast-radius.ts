import type { Change, EntrySide } from "../contract/evidence.ts";
import type { BlastRadius } from "../contract/judgement.ts";
import { counted } from "./counted.ts";

/** The size of a change as git would commit it: ignored entries and bare directories do not count. */
export function blastRadius(changes: readonly Change[]): BlastRadius {
  const seen = changes.filter((change) => change.standing !== "ignored");
  return {
    files_touched: seen.filter(touchesFile).length,
    lines_added: seen.reduce((sum, change) => sum + change.lines_added, 0),
    lines_deleted: seen.reduce((sum, change) => sum + change.lines_deleted, 0),
    new_files: seen.filter(isNewFile).length,
  };
}

/** The one line that both reports show. */
export function blastRadiusLine(radius: BlastRadius): string {
  const { files_touched, lines_added, lines_deleted, new_files } = radius;
  return `${counted(files_touched, "file")}, +${lines_added}/-${lines_deleted}, ${new_files} new`;
}

/** Whether a path holds a file, link or special file now that it did not hold before. */
export function isNewFile({ before, after }: Change): boolean {
  return !isFile(before) && isFile(after);
}

/** Whether nothing but a directory stood or stands at this path. */
export function isDirectoryOnly(change: Change): boolean {
  return !touchesFile(change);
}

function touchesFile({ before, after }: Change): boolean {
  return isFile(before) || isFile(after);
}

function isFile(side: EntrySide | null): boolean {
  return side !== null && side.type !== "directory";
}
