/** What became of killed ticks in each setting: one file for each, written after every crash. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DriverLine, Survey } from "../../test/crash/driver.ts";
import type { Crash } from "../../test/crash/strike.ts";
import type { Setting } from "../../test/attacks/setting.ts";

const FOLDER = "lab/crash/measured";

export interface CrashColumn extends Setting {
  readonly user: string;
  readonly fileSystem: string;
  /** One position out of so many. */
  readonly step: number;
}

export interface CrashedTick extends Omit<Survey, "kind"> {
  readonly before: number;
  readonly torn: number;
  readonly after: number;
  readonly reverted: number;
  readonly kept: number;
  readonly missed: number;
  /** The positions at which something was wrong. */
  readonly failures: readonly string[];
}

export interface MeasuredCrashes extends CrashColumn {
  readonly date: string;
  readonly node: string;
  /** By kind. */
  readonly ticks: Readonly<Record<string, CrashedTick>>;
}

export function nameCrashColumn({ isolation, sandbox, user }: CrashColumn): string {
  return `${isolation}, sandbox ${sandbox}, as ${user}`;
}

export const namePosition = ({ position: { at, call, when } }: Crash): string => `${when} ${at} ${call}`;

const NONE = { before: 0, torn: 0, after: 0, reverted: 0, kept: 0, missed: 0, failures: [] };

/** Answers with a function that adds a line of the driver. Earlier results go with the first one. */
export function openCrashes(column: CrashColumn): (line: DriverLine) => void {
  const file = join(FOLDER, `${nameCrashColumn(column).replaceAll(/[ ,]+/gu, "-")}.json`);
  const ticks = new Map<string, CrashedTick>();
  return (line) => {
    if ("survey" in line) {
      const { kind, calls, positions } = line.survey;
      ticks.set(kind, { calls, positions, ...NONE });
    } else {
      const tick = ticks.get(line.crash.kind);
      if (tick === undefined) throw new Error(`nothing is known of ticks that are ${line.crash.kind}`);
      ticks.set(line.crash.kind, addCrash(tick, line.crash));
    }
    const date = new Date().toISOString().slice(0, 10);
    const measured: MeasuredCrashes = { ...column, date, node: process.version, ticks: Object.fromEntries(ticks) };
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
  };
}

function addCrash(tick: CrashedTick, crash: Crash): CrashedTick {
  const { when } = crash.position;
  const counted = { ...tick, [when]: tick[when] + 1 };
  const failures = crash.failures.length === 0 ? tick.failures : [...tick.failures, namePosition(crash)];
  return { ...counted, [crash.outcome]: tick[crash.outcome] + 1, failures };
}

export function readAllCrashes(): readonly MeasuredCrashes[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .toSorted()
    .map((name): MeasuredCrashes => JSON.parse(readFileSync(join(FOLDER, name), "utf8")));
}
