/** The tables of docs/faults.md: a row for each tick in each place, a column for each fault. */
import { tmpdir } from "node:os";
import type { Isolation, Kind } from "../../test/crash/site.ts";
import type { Fault } from "../../test/faults/fault-library.ts";
import type { Deed, FaultyTick } from "../../test/faults/faulty-tick.ts";
import type { Meeting } from "../simulate/every-fault.ts";
import type { Part } from "../bench/write-page.ts";
import { nameFileSystem } from "../../scripts/outing-words.ts";
import { writeRows } from "../../scripts/write-rows.ts";

export const FAULT_TITLES: Readonly<Record<Deed, string>> = {
  tick: "Faults in a tick",
  recovery: "Faults in a recovery",
};

export interface FaultOuting extends Omit<Fault, "at" | "shiftSeconds"> {
  readonly deed: Deed;
  readonly isolation: Isolation;
  readonly kind: Kind;
  /** How many calls change a file. */
  readonly calls: number;
  /** How many of them are to fail: one of each class, or all. */
  readonly chosen: number;
  readonly ticks: readonly FaultyTick[];
}

const COLUMNS: Readonly<Record<string, string>> = {
  "ENOSPC once": "ENOSPC once",
  "EIO once": "EIO once",
  "ENOSPC full": "the disk stays full",
  "EIO dead": "the disk stays broken",
  "EROFS dead": "the disk is read-only",
};
const PLACES: Readonly<Record<Isolation, string>> = { in_place: "in place", overlay: "overlay", clone: "clone" };
const OUTCOMES = ["reverted", "kept", "unharmed", "missed"] as const;

export function drawFaults(outings: readonly FaultOuting[], commit: string): readonly Part[] {
  const deeds = [...new Set(outings.map(({ deed }) => deed))];
  return deeds.map((deed) => {
    const own = outings.filter((outing) => outing.deed === deed);
    const title = FAULT_TITLES[deed];
    return { title, text: `### ${title}\n\n${drawTable(own)}\n\n${describeOutings(own, commit)}` };
  });
}

function drawTable(outings: readonly FaultOuting[]): string {
  const faults = Object.keys(COLUMNS).filter((name) => outings.some((outing) => nameFault(outing) === name));
  const ticks = [...new Set(outings.map(nameTick))];
  const rows = ticks.map((tick) => [
    tick,
    ...faults.map((fault) => {
      const outing = outings.find((one) => nameTick(one) === tick && nameFault(one) === fault);
      return outing === undefined ? "not run" : drawCell(outing);
    }),
  ]);
  return writeRows(["tick", ...faults.map((name) => COLUMNS[name] ?? name)], rows);
}

const nameFault = ({ error, mode }: FaultOuting): string => `${error} ${mode}`;
const nameTick = ({ kind, isolation }: FaultOuting): string => `${kind}, ${PLACES[isolation]}`;

function drawCell({ calls, chosen, ticks }: FaultOuting): string {
  const parts = OUTCOMES.flatMap((outcome) => {
    const count = ticks.filter((tick) => tick.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${outcome}`];
  });
  const failed = ticks.filter(({ failures }) => failures.length > 0).length;
  const share = ticks.length === chosen ? `${chosen}` : `${ticks.length} of ${chosen}`;
  return `${share} in ${calls}: ${[...parts, ...(failed === 0 ? [] : [`**${failed} failed**`])].join(", ")}`;
}

function describeOutings(outings: readonly FaultOuting[], commit: string): string {
  const failures = outings.flatMap(({ ticks }) => ticks.filter((tick) => tick.failures.length > 0));
  const tried = outings.reduce((sum, { ticks }) => sum + ticks.length, 0);
  const places = failures.map(({ fault, call }) => `\`${fault.error} ${fault.mode} ${call ?? ""}\``);
  const end = failures.length === 0 ? "no failure" : `failures: ${places.join(", ")}`;
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, commit ${commit}, Node ${process.version}, ${nameFileSystem(tmpdir())}: ${tried} faults; ${end}.`;
}

/** The same for the simulation, in which every change is tried. */
export function drawSimulatedFaults(meetings: readonly Meeting[]): string {
  const ticks = [...new Set(meetings.map(({ tick }) => tick))];
  const faults = Object.keys(COLUMNS).filter((name) => meetings.some(({ error, mode }) => `${error} ${mode}` === name));
  const rows = ticks.map((tick) => [
    `${tick}, in place`,
    ...faults.map((name) => {
      const own = meetings.filter((one) => one.tick === tick && `${one.error} ${one.mode}` === name);
      return countOutcomes(own, own[0]?.changes ?? 0);
    }),
  ]);
  const failed = meetings.filter(({ problem }) => problem !== null).length;
  const end = failed === 0 ? "no failure" : `${failed} failures`;
  const date = new Date().toISOString().slice(0, 10);
  const table = writeRows(["tick", ...faults.map((name) => COLUMNS[name] ?? name)], rows);
  return `${table}\n\n${date}, Node ${process.version}: ${meetings.length} faults; ${end}.`;
}

function countOutcomes(meetings: readonly Meeting[], changes: number): string {
  const unharmed = meetings.filter(({ isUnharmed }) => isUnharmed).length;
  const failed = meetings.filter(({ problem }) => problem !== null).length;
  const end = failed === 0 ? "" : `, **${failed} failed**`;
  return `${meetings.length} of ${changes}: ${unharmed} unharmed${end}`;
}
