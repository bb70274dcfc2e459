import type { TickEvent } from "./event.ts";

/** How much of each text the journal takes, as `event.ts` declares it. */
const CHARS_MAX = new Map(
  Object.entries({ cause: 400, reason: 400, message: 4000, summary: 4000, excerpt: 4000, hint: 4000 }),
);

/** The event with its texts cut to what the journal takes, so that nobody who makes an event has to count. */
export function fitTexts(event: TickEvent): object {
  const entries = Object.entries(event).map(([name, value]: [string, unknown]) => {
    return [name, typeof value === "string" ? value.slice(0, CHARS_MAX.get(name)) : value];
  });
  return Object.fromEntries(entries);
}
