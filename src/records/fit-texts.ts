import type { TickEvent } from "./event.ts";

const CHARS_MAX = new Map(
  Object.entries({ cause: 400, reason: 400, message: 4000, summary: 4000, excerpt: 4000, hint: 4000 }),
);

/** Cuts the texts of an event, so that its authors need not count. */
export function fitTexts(event: TickEvent): object {
  const entries = Object.entries(event).map(([name, value]: [string, unknown]) => {
    return [name, typeof value === "string" ? value.slice(0, CHARS_MAX.get(name)) : value];
  });
  return Object.fromEntries(entries);
}
