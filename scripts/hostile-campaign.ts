/**
 * Lets every attack that `relais drill` brings loose: in every place, with and without the sandbox, on two file systems and as
 * every user that there is. What became of each is kept in test/attacks/measured/, one file for each of these, from which
 * the page is written. So a run of some settings leaves the others as they were measured, and one that was interrupted
 * can go on.
 */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { discoverAttacks } from "../test/attacks/discover.ts";
import { BUILDER_CLASSES } from "../src/drill/pure/builder-class.ts";
import type { HostileBuilder } from "../src/drill/pure/hostile-builder.ts";
import { playTicks } from "../test/attacks/play-ticks.ts";
import type { TickReport } from "../test/attacks/tick-driver.ts";
import { type Setting, SETTINGS } from "../test/attacks/setting.ts";
import { type User, USERS } from "../test/support/user-driver.ts";
import { type Column, nameColumn, openMeasured, readAllMeasured } from "./hostile-measured.ts";
import { summarize } from "./hostile-tables.ts";
import { nameFileSystem, PAGE, wordsOf } from "./outing-words.ts";

const MEMORY = "/dev/shm";
/** Only what has no result yet, or a bad one. */
const REST = "rest";

interface Outing {
  readonly setting: Setting;
  readonly user: User;
  readonly folder: string;
  readonly fileSystem: string;
}

interface Wish {
  /** Each word leaves out the outings that it does not describe. */
  readonly limits: readonly string[];
  readonly onSummary: (summary: string) => void;
}

/** Runs all of them and answers with the number of escapes, which are printed on standard error. */
export async function hostileCampaign(executable: string, { limits, onSummary }: Wish): Promise<number> {
  const builders = discoverAttacks().filter(({ isShipped }) => isShipped);
  const words = limits.filter((word) => word !== REST);
  const outings = listOutings().filter((outing) =>
    words.every((word) => [...wordsOf(outing), outing.fileSystem].includes(word)),
  );
  if (outings.length === 0 && !limits.includes(PAGE)) throw new Error(`no setting is ${words.join(" ")}`);
  let failures = 0;
  while (outings.length > 0) {
    const together = outings.splice(0, USERS.length);
    const request = { executable, builders, isRest: limits.includes(REST) };
    const escapes = await Promise.all(together.map((outing) => measure(request, outing)));
    failures += escapes.reduce((sum, count) => sum + count, 0);
    onSummary(summarize(readAllMeasured(), builders));
  }
  if (limits.includes(PAGE)) onSummary(summarize(readAllMeasured(), builders));
  return failures;
}

function listOutings(): Outing[] {
  const folders = [...(existsSync(MEMORY) ? [MEMORY] : []), tmpdir()];
  const systems = new Map(folders.map((folder) => [nameFileSystem(folder), folder]));
  return SETTINGS.flatMap((setting) =>
    [...systems].flatMap(([fileSystem, folder]) => USERS.map((user) => ({ setting, user, folder, fileSystem }))),
  );
}

interface Request {
  readonly executable: string;
  readonly builders: readonly HostileBuilder[];
  readonly isRest: boolean;
}

/** Answers with the number of escapes. */
async function measure({ executable, builders, isRest }: Request, outing: Outing): Promise<number> {
  const { setting, user, folder, fileSystem } = outing;
  const column: Column = { ...setting, user: user.name, fileSystem };
  const measured = openMeasured(column, builders, isRest);
  const waiting = mix(builders.filter(({ id }) => measured.isWanted(id)));
  let escapes = 0;
  const onReport = (report: TickReport): void => {
    measured.add(report);
    if (report.outcome !== "escaped") return;
    escapes += 1;
    tell(nameColumn(column), report);
  };
  const reports = await playTicks({ executable, builders: waiting, user, setting, folder, onReport });
  return escapes + waiting.filter(({ id }) => !reports.has(id)).length;
}

function tell(name: string, { id, complaints }: TickReport): void {
  console.error(`${name}, ${id}:`);
  for (const complaint of complaints) console.error(`  ${complaint.slice(0, 400)}`);
}

/** All classes in turn, so that a run that is cut short has something of each. */
function mix(builders: readonly HostileBuilder[]): readonly HostileBuilder[] {
  const placed = BUILDER_CLASSES.flatMap((name) => {
    const own = builders.filter((builder) => builder.class === name);
    return own.map((builder, place) => ({ builder, part: place / own.length }));
  });
  return placed.toSorted((left, right) => left.part - right.part).map(({ builder }) => builder);
}
