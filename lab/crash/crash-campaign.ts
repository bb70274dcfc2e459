/**
 * Kills ticks in every place, with and without the sandbox, as every user that there is. What became of them is kept in
 * lab/crash/measured/, one file for each of these, from which the page is written. So a run of some settings leaves the
 * others as they were measured.
 */
import { tmpdir } from "node:os";
import type { DriverLine } from "../../test/crash/driver.ts";
import type { Crash } from "../../test/crash/strike.ts";
import { type Setting, SETTINGS } from "../../test/attacks/setting.ts";
import { type User, USERS, runDriver } from "../../test/support/user-driver.ts";
import { type CrashColumn, nameCrashColumn, namePosition, openCrashes } from "./crash-measured.ts";
import { nameFileSystem, PAGE, wordsOf } from "../../scripts/outing-words.ts";

const PROGRESS_EVERY = 20;

interface CrashWish {
  /** Each word leaves out the settings and users that it does not describe. */
  readonly limits: readonly string[];
  /** One position out of so many. */
  readonly step: number;
  readonly onSummary: () => void;
}

interface CrashOuting {
  readonly setting: Setting;
  readonly user: User;
  /** Each begins with another position, so that together they have more of them. */
  readonly turn: number;
}

/** Runs all of them and answers with the number of failures, which are printed on standard error. */
export async function crashCampaign(executable: string, { limits, step, onSummary }: CrashWish): Promise<number> {
  const outings = SETTINGS.flatMap((setting) => USERS.map((user) => ({ setting, user })))
    .map((outing, turn): CrashOuting => ({ ...outing, turn }))
    .filter((outing) => limits.every((word) => wordsOf(outing).includes(word)));
  if (outings.length === 0 && !limits.includes(PAGE)) throw new Error(`no setting is ${limits.join(" ")}`);
  let failures = 0;
  for (const outing of outings) {
    failures += await strikeColumn(executable, step, outing);
    onSummary();
  }
  if (limits.includes(PAGE)) onSummary();
  return failures;
}

/** Answers with the number of failures. */
async function strikeColumn(executable: string, step: number, { setting, user, turn }: CrashOuting): Promise<number> {
  const column: CrashColumn = { ...setting, user: user.name, fileSystem: nameFileSystem(tmpdir()), step };
  const add = openCrashes(column);
  const crashes: Crash[] = [];
  await runDriver({
    driver: "test/crash/driver.ts",
    executable,
    files: ["test/crash/kill-at.cjs"],
    args: [setting.isolation, setting.sandbox, String(step), String(turn)],
    user,
    isSandboxed: setting.sandbox !== "off",
    onLine: (text) => {
      const line: DriverLine = JSON.parse(text);
      add(line);
      if (!("crash" in line)) return;
      crashes.push(line.crash);
      reportFailures(nameCrashColumn(column), line.crash);
      if (crashes.length % PROGRESS_EVERY === 0) console.error(`${nameCrashColumn(column)}: ${crashes.length}`);
    },
  });
  return crashes.filter(({ failures }) => failures.length > 0).length;
}

function reportFailures(name: string, crash: Crash): void {
  if (crash.failures.length === 0) return;
  console.error(`${name}, ${crash.kind}, ${namePosition(crash)}:`);
  for (const failure of crash.failures) console.error(`  ${failure.slice(0, 2000)}`);
}
