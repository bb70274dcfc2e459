import { describePlace } from "../../contract/schema/schema-wording.ts";

/** The first place at which two JSON values are not the same, with what stands there on either side. */
export interface ValueDifference {
  /** As one would write it in code: `findings[2].subject`; empty for the values as a whole. */
  readonly place: string;
  readonly recorded: string;
  readonly derived: string;
}

type Path = readonly (string | number)[];

/** Compares in the order of the recorded value's keys; null where both are the same. */
export function findFirstDifference(recorded: unknown, derived: unknown, at: Path = []): ValueDifference | null {
  if (isList(recorded) && isList(derived)) {
    const length = Math.max(recorded.length, derived.length);
    return first(Array(length).keys(), (key) => findFirstDifference(recorded[key], derived[key], [...at, key]));
  }
  if (isFields(recorded) && isFields(derived)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(derived)]);
    return first(keys, (key) => findFirstDifference(recorded[key], derived[key], [...at, key]));
  }
  if (Object.is(recorded, derived)) return null;
  return { place: describePlace(at), recorded: shown(recorded), derived: shown(derived) };
}

function first<T>(items: Iterable<T>, compare: (item: T) => ValueDifference | null): ValueDifference | null {
  for (const item of items) {
    const difference = compare(item);
    if (difference !== null) return difference;
  }
  return null;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const SHOWN_CHARS = 200;

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
