/**
 * Lets every builder of test/hostile loose: in every place, with and without the sandbox, on two file systems and as
 * every user that there is. What became of them is kept in test/hostile/measured.json, from which the page is written,
 * so that a run of some settings leaves the others as they were measured.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Builder, discoverBuilders } from "../test/hostile/builder.ts";
import type { HostileReport } from "../test/hostile/driver.ts";
import { letLoose, type User, USERS } from "../test/hostile/let-loose.ts";
import { type Setting, SETTINGS } from "../test/hostile/setting.ts";
import { countOutcomes, type Measured, nameColumn, summarize } from "./hostile-tables.ts";

const MEASURED = "test/hostile/measured.json";
const MEMORY = "/dev/shm";

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
  const builders = discoverBuilders("test/hostile/builders");
  const outings = listOutings().filter((outing) => limits.every((word) => wordsOf(outing).includes(word)));
  if (outings.length === 0) throw new Error(`no setting is ${limits.join(" ")}`);
  let failures = 0;
  while (outings.length > 0) {
    const together = outings.splice(0, USERS.length);
    const measured = await Promise.all(together.map((outing) => measure(executable, { builders, outing })));
    const all = keep(measured.filter((one) => one !== null));
    onSummary(summarize(all, builders));
    failures += measured.reduce((sum, one) => sum + (one?.escapes.length ?? 0), 0);
  }
  return failures;
}

/** The words that limit a campaign. */
function wordsOf({ setting: { isolation, sandbox }, user, fileSystem }: Outing): readonly string[] {
  return [isolation, sandbox === "off" ? "unsandboxed" : "sandboxed", user.uid === 0 ? "root" : "user", fileSystem];
}

function listOutings(): Outing[] {
  const folders = [...new Set([tmpdir(), ...(existsSync(MEMORY) ? [MEMORY] : [])])];
  const systems = new Map(folders.toReversed().map((folder) => [nameFileSystem(folder), folder]));
  return SETTINGS.flatMap((setting) =>
    [...systems].flatMap(([fileSystem, folder]) => USERS.map((user) => ({ setting, user, folder, fileSystem }))),
  );
}

function nameFileSystem(folder: string): string {
  const name = execFileSync("stat", ["-f", "-c", "%T", folder], { encoding: "utf8" }).trim();
  return name === "ext2/ext3" ? "ext4" : name; // They have the same number.
}

/** Null where this machine does not have the setting. */
async function measure(
  executable: string,
  { builders, outing }: { readonly builders: readonly Builder[]; readonly outing: Outing },
): Promise<Measured | null> {
  const { setting, user, folder, fileSystem } = outing;
  const column = { ...setting, user: user.name, fileSystem };
  const name = nameColumn(column);
  const onReport = (report: HostileReport): void => tell(name, report);
  const reports = await letLoose({ executable, builders, user, setting, folder, onReport });
  const missing = builders.filter(({ id }) => !reports.has(id));
  for (const { id } of missing) console.error(`${name}, ${id}: the driver said nothing about it`);
  const ran = [...reports.values()].filter(({ outcome }) => outcome !== "skipped");
  if (ran.length === 0) {
    console.error(`${name}: ${[...reports.values()][0]?.skipped ?? "nothing ran"}`);
    return null;
  }
  const escapes = ran.filter(({ outcome }) => outcome === "escaped").map(({ id }) => id);
  return {
    ...column,
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    counts: countOutcomes(builders, reports),
    escapes: [...escapes, ...missing.map(({ id }) => id)],
  };
}

function tell(name: string, { id, complaints }: HostileReport): void {
  if (complaints.length === 0) return;
  console.error(`${name}, ${id}:`);
  for (const complaint of complaints) console.error(`  ${complaint.slice(0, 2000)}`);
}

/** Puts what was measured in the place of what was measured earlier in the same setting. */
function keep(measured: readonly Measured[]): readonly Measured[] {
  const earlier: readonly Measured[] = existsSync(MEASURED) ? JSON.parse(readFileSync(MEASURED, "utf8")) : [];
  const all = new Map([...earlier, ...measured].map((one) => [nameColumn(one), one]));
  const sorted = [...all.values()].toSorted((left, right) => (nameColumn(left) < nameColumn(right) ? -1 : 1));
  writeFileSync(MEASURED, `${JSON.stringify(sorted, null, 2)}\n`);
  return sorted;
}
