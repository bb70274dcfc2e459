import type { Change, EntrySide } from "../../records/evidence.ts";
import type { BlastRadius } from "../../records/judgement.ts";
import { countNoun, shorten } from "../../base/words.ts";

/** As git would commit it: ignored entries and bare directories do not count. */
export function measureBlastRadius(changes: readonly Change[]): BlastRadius {
  const seen = changes.filter((change) => change.standing !== "ignored");
  return {
    files_touched: seen.filter((change) => !isDirectoryOnly(change)).length,
    lines_added: seen.reduce((sum, change) => sum + change.lines_added, 0),
    lines_deleted: seen.reduce((sum, change) => sum + change.lines_deleted, 0),
    new_files: seen.filter(isNewFile).length,
    ...findLargest(seen),
  };
}

const PATH_CHARS = 400;

function findLargest(changes: readonly Change[]): Pick<BlastRadius, "largest"> {
  const largest = changes.reduce<Change | null>(pickLarger, null);
  if (largest === null || countLines(largest) === 0) return {};
  const { path, lines_added, lines_deleted } = largest;
  return { largest: { path: shorten(path, PATH_CHARS), lines_added, lines_deleted } };
}

/** Of two equal ones the first by name, so that the order of the list does not matter. */
function pickLarger(one: Change | null, other: Change): Change {
  if (one === null) return other;
  const difference = countLines(other) - countLines(one);
  return difference > 0 || (difference === 0 && other.path < one.path) ? other : one;
}

function countLines({ lines_added, lines_deleted }: Change): number {
  return lines_added + lines_deleted;
}

export function describeBlastRadius(radius: BlastRadius): string {
  const { files_touched, lines_added, lines_deleted, new_files } = radius;
  return `${countNoun(files_touched, "file")}, +${lines_added}/-${lines_deleted}, ${new_files} new`;
}

/** Whether there is a file, link or special file that was not there before. */
export function isNewFile({ before, after }: Change): boolean {
  return !isFile(before) && isFile(after);
}

export function isDirectoryOnly({ before, after }: Change): boolean {
  return !isFile(before) && !isFile(after);
}

function isFile(side: EntrySide | null): boolean {
  return side !== null && side.type !== "directory";
}
