import { isRecord } from "../base/is-record.ts";
import { followLines } from "../system/follow-file.ts";

/** The last document in the output of a relais; null where there is none. */
export function readLastDocument(path: string): Readonly<Record<string, unknown>> | null {
  const last = followLines(path)(true).findLast((line) => line.startsWith("{"));
  if (last === undefined) return null;
  try {
    const document: unknown = JSON.parse(last);
    return isRecord(document) ? document : null;
  } catch {
    return null; // The disk was full, perhaps.
  }
}
