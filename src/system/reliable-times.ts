/**
 * Whether the times of a file show every write to it.
 *
 * A process that maps a file into its memory writes without a system call. ext4, xfs and btrfs change the times at the
 * first such write, which `test/observe/reliable-times.test.ts` shows; tmpfs does not if the page was read before. Of
 * other file systems nothing is known, so the content of their files is read.
 */
import { statfsSync } from "node:fs";

/** The numbers by which Linux tells them apart; other systems number theirs differently. */
const RELIABLE: ReadonlySet<number> =
  process.platform === "linux" ? new Set([0xef53, 0x58_46_53_42, 0x91_23_68_3e]) : new Set();

export function hasReliableTimes(path: string | Buffer): boolean {
  return RELIABLE.has(statfsSync(path).type);
}

/** Asks once for each device. */
export function rememberReliableTimes(): (device: bigint, path: string | Buffer) => boolean {
  const known = new Map<bigint, boolean>();
  return (device, path) => {
    const answer = known.get(device) ?? hasReliableTimes(path);
    known.set(device, answer);
    return answer;
  };
}
