import { readBounded } from "../system/bounded-file.ts";

const BYTES_MAX = 512 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The first line in which journal and published journal differ, counted from 1; null where one is the beginning of the
 * other, since the journal may have grown, and where one of them is missing.
 */
export async function findLedgerDifference(journal: string, ledger: string): Promise<number | null> {
  const [own, published] = await Promise.all([readBounded(journal, BYTES_MAX), readBounded(ledger, BYTES_MAX)]);
  if (own.kind !== "read" || published.kind !== "read") return null;
  const length = Math.min(own.data.length, published.data.length);
  if (own.data.subarray(0, length).equals(published.data.subarray(0, length))) return null;
  let line = 1;
  for (let at = 0; own.data[at] === published.data[at]; at += 1) if (own.data[at] === NEWLINE) line += 1;
  return line;
}
