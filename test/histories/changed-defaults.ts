/**
 * Which keys a version reads differently than this one does.
 *
 * A default that is changed on purpose is named in the section "Changed defaults" of CHANGELOG.md by its full name in
 * backquotes, and is no longer missed then.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const CHANGELOG = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8");
const SECTIONS = [...CHANGELOG.matchAll(/^### Changed defaults\n(?<text>[\s\S]*?)(?=^##|(?![\s\S]))/gm)];
const ANNOUNCED = new Set(
  SECTIONS.flatMap(({ groups }) => [...(groups?.["text"] ?? "").matchAll(/`(?<key>[\w.]+)`/g)]).map(
    ({ groups }) => groups?.["key"],
  ),
);

/** Names each difference, unless the changelog does; a key that an earlier version did not know is none. */
export function changedDefaults(then: unknown, now: unknown, place = ""): readonly string[] {
  if (isRecord(then) && isRecord(now))
    return Object.keys(then).flatMap((key) =>
      changedDefaults(then[key], now[key], place === "" ? key : `${place}.${key}`),
    );
  if (JSON.stringify(then) === JSON.stringify(now) || ANNOUNCED.has(place)) return [];
  return [
    `${place} was ${JSON.stringify(then)} and is ${JSON.stringify(now)}: name it under "Changed defaults" in CHANGELOG.md`,
  ];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
