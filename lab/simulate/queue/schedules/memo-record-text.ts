/** Every process of a schedule reads the same records, and most schedules begin alike: each text is read once. */
import * as real from "../../../../src/queue/record-text.ts";

export { readSum } from "../../../../src/queue/record-text.ts";
export type { LogEnd, SharedText } from "../../../../src/queue/record-text.ts";

const KEPT_MAX = 100_000;

/** For functions that depend on nothing but the key, and that throw nothing worth keeping. */
function remember<T>(): (key: string, make: () => T) => T {
  const known = new Map<string, { readonly made: T }>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found.made;
    if (known.size > KEPT_MAX) known.clear();
    const made = make();
    known.set(key, { made });
    return made;
  };
}

const written = remember<ReturnType<typeof real.writeRecordText>>();
const own = remember<ReturnType<typeof real.readRecordText>>();
const shared = remember<real.SharedText>();

export const writeRecordText: typeof real.writeRecordText = (record, before) =>
  written(`${before} ${JSON.stringify(record)}`, () => real.writeRecordText(record, before));

export const readRecordText: typeof real.readRecordText = (text, end) =>
  own(`${end.seq} ${end.sum} ${text}`, () => real.readRecordText(text, end));

export const readSharedText: typeof real.readSharedText = (text, end) =>
  shared(`${end.seq} ${end.sum} ${text}`, () => real.readSharedText(text, end));
