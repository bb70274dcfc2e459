/** What became of the hostile builders in each setting: one file for each, written after every builder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostileBuilder } from "../src/drill/pure/hostile-builder.ts";
import type { Outcome, TickReport } from "../test/attacks/tick-driver.ts";
import type { Setting } from "../test/attacks/setting.ts";

const FOLDER = "test/attacks/measured";

export interface Column extends Setting {
  readonly user: string;
  readonly fileSystem: string;
}

export interface Measured extends Column {
  readonly date: string;
  readonly node: string;
  /** By builder. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

export function nameColumn({ isolation, sandbox, user, fileSystem }: Column): string {
  return `${isolation}, sandbox ${sandbox}, as ${user}, ${fileSystem}`;
}

export interface OpenMeasured {
  readonly isWanted: (id: string) => boolean;
  readonly add: (report: TickReport) => void;
}

/** Earlier results go, except for a rest: then the good ones of builders that still exist stay. */
export function openMeasured(column: Column, builders: readonly HostileBuilder[], isRest: boolean): OpenMeasured {
  const file = join(FOLDER, `${nameColumn(column).replaceAll(/[ ,]+/gu, "-")}.json`);
  const earlier = isRest && existsSync(file) ? readMeasured(file).outcomes : {};
  const known = new Set(builders.map(({ id }) => id));
  const outcomes = new Map(Object.entries(earlier).filter(([id, outcome]) => known.has(id) && outcome !== "escaped"));
  return {
    isWanted: (id) => !outcomes.has(id),
    add: ({ id, outcome }) => {
      outcomes.set(id, outcome);
      const sorted = [...outcomes].toSorted(([left], [right]) => (left < right ? -1 : 1));
      const date = new Date().toISOString().slice(0, 10);
      const measured: Measured = { ...column, date, node: process.version, outcomes: Object.fromEntries(sorted) };
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
    },
  };
}

export function readAllMeasured(): readonly Measured[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .toSorted()
    .map((name) => readMeasured(join(FOLDER, name)));
}

function readMeasured(file: string): Measured {
  return JSON.parse(readFileSync(file, "utf8"));
}
