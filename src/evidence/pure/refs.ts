/**
 * Refs as byte strings: HEAD, every loose ref and packed-refs. Names need not be UTF-8, and two different ones must not
 * become one. Packing moves a ref to another file without changing it, so refs are compared by name and not file by
 * file.
 */
import type { Head } from "../../records/evidence.ts";
import { trimSpace } from "../../base/words.ts";

export type Refs = ReadonlyMap<string, string>;

/** A loose ref wins over a packed one. */
export function readRefs(packed: string, loose: Iterable<readonly [string, string]>): Refs {
  const refs = new Map<string, string>();
  for (const line of packed.split("\n")) {
    const match = /^(?<value>[0-9a-f]{40,64}) (?<name>.+)$/s.exec(line);
    if (match?.groups !== undefined) refs.set(match.groups["name"] ?? "", match.groups["value"] ?? "");
  }
  for (const [name, text] of loose) refs.set(name, trimSpace(text));
  return refs;
}

/** Follows a chain of symbolic refs for a few steps, as git does. */
export function resolveHead(text: string, refs: Refs): Head {
  const own = trimSpace(text);
  let value = own;
  for (let step = 0; step < 5 && value.startsWith("ref: "); step += 1)
    value = refs.get(trimSpace(value.slice(5))) ?? "";
  return { text: own, commit: /^[0-9a-f]{40,64}$/.test(value) ? value : null };
}

export interface RefChange {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

export function compareRefs(before: Refs, after: Refs): readonly RefChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names
    .map((name) => ({ name, before: before.get(name) ?? null, after: after.get(name) ?? null }))
    .filter((change) => change.before !== change.after);
}
