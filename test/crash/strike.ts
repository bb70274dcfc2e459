/**
 * One crash: relais is killed at one place of a tick, recovered, and everything is looked at.
 *
 * What may be there afterwards follows from the journal as the crash left it: what was settled stays, everything else is
 * reverted.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { differences } from "../support/walker.ts";
import { eventsOf, keptProblems, named, nextTickProblems, recoveryProblems } from "./aftermath.ts";
import {
  argumentsOf,
  changedBetween,
  copySite,
  type Isolation,
  type Kind,
  lookAtDirt,
  revertedWith,
  type Site,
  type Strike,
} from "./site.ts";

export interface Position {
  readonly at: number;
  /** The call and what it was about. */
  readonly call: string;
  readonly when: "before" | "after" | "torn";
}

export interface Crash {
  readonly kind: Kind;
  readonly isolation: Isolation;
  readonly position: Position;
  /** `missed` is a tick that ended before it came to that position. */
  readonly outcome: "reverted" | "kept" | "missed";
  /** What is not as it should be, in words; empty is good. */
  readonly failures: readonly string[];
}

/** Every call of an undisturbed tick that changes a file or starts a program. Throws where it ends in another way. */
export async function callsOf(template: Site): Promise<readonly string[]> {
  const site = copySite(template);
  try {
    const log = join(site.box, "calls");
    const { stdout, stderr } = await site.relais([...argumentsOf(site), "--json"], { log });
    const code = revertedWith(site.kind) ?? "SUCCESS";
    if (!stdout.includes(`"code":"${code}"`)) throw new Error(`the tick did not end as ${code}: ${stdout}${stderr}`);
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    return lines.map((line) => line.replace(/^\d+ /, "").replaceAll(site.box, ""));
  } finally {
    site.remove();
  }
}

const isData = (call: string): boolean => /^\S*(?:write|append)/i.test(call);
const isSpawn = (call: string): boolean => /^(?:spawn|execFile)/.test(call);

/** Every way to be killed at these calls: before each, in the middle of data, and right after a program was started. */
export function everyPosition(calls: readonly string[]): readonly Position[] {
  return calls.flatMap((call, index): Position[] => {
    const at = index + 1;
    return [
      { at, call, when: "before" },
      ...(isData(call) ? [{ at, call, when: "torn" } as const] : []),
      ...(isSpawn(call) || at === calls.length ? [{ at, call, when: "after" } as const] : []),
    ];
  });
}

/** Every line of the journal, cut off or complete by turns, and a spread of all the others. */
export function somePositions(calls: readonly string[], spread: number): readonly Position[] {
  const every = everyPosition(calls);
  const step = every.length / spread;
  const spreadOut = Array.from({ length: spread }, (_, index) => every[Math.floor((index + 0.5) * step)]);
  const journal = calls.flatMap((call, index): Position[] => {
    const at = index + 1;
    if (!call.endsWith("/journal.jsonl")) return [];
    if (call.startsWith("promises.rename")) return [{ at, call, when: "after" }];
    return call.includes("appendFile") ? [{ at, call, when: at % 2 === 0 ? "torn" : "after" }] : [];
  });
  return [...spreadOut.filter((position) => position !== undefined), ...journal];
}

/** Kills one tick at one position and answers with all that is wrong afterwards. */
export async function strikeAt(template: Site, position: Position): Promise<Crash> {
  const { kind, isolation } = template;
  const site = copySite(template);
  try {
    const before = site.look();
    const dirt = lookAtDirt(site, before);
    const strike: Strike = { at: position.at, when: position.when };
    const { signal, pid } = await site.relais(argumentsOf(site), strike);
    if (signal !== "SIGKILL") return { kind, isolation, position, outcome: "missed", failures: [] };
    const left = site.journal();
    const settled = eventsOf(left).find(({ type }) => type === "settled");
    const expected = settled === undefined ? before : site.look();
    const failures = [
      ...(settled?.["action"] === "rollback" ? named("settled", changedBetween(before, expected)) : []),
      ...(settled !== undefined && revertedWith(kind) === null ? named("kept", keptProblems(site, settled)) : []),
      ...(await recoveryProblems(site, { left, expected, pid })),
      ...(await nextTickProblems(site, kind)),
      // Nothing of the person is lost, whether the change is kept or not.
      ...named("mine", differences(dirt, lookAtDirt(site, site.look()))),
    ];
    const outcome = settled === undefined || revertedWith(kind) !== null ? "reverted" : "kept";
    return { kind, isolation, position, outcome, failures };
  } finally {
    site.remove();
  }
}
