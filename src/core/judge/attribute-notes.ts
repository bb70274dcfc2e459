import type { Evidence } from "../../contract/evidence/evidence.ts";
import { shortenList } from "../words/quote.ts";

/** Tells of entries that were touched without a change that can be compared, such as an extended attribute or a flag. */
export function listAttributeNotes({ count, paths }: Evidence["attributes_touched"]): readonly string[] {
  if (count === 0) return [];
  const subject = count === 1 ? "1 entry was" : `${count} entries were`;
  return [`${subject} touched without a visible change (an extended attribute or a flag): ${shortenList(paths)}.`];
}
