/**
 * Lets calls of a tick that change a file fail, as on a full or broken disk, and looks at what is left: the first call of each class
 * (test/faults/choose-positions.ts), with `--all` every call. Words limit the run, as in `committed overlay ENOSPC`;
 * `--minutes N` gives each tick and fault its part of that time and leaves out the rest; `--write` keeps the rows in lab/faults/measured.json.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { openFreshRelais } from "../../test/crash/fresh-relais.ts";
import { KINDS, openSite } from "../../test/crash/site.ts";
import { choosePositions } from "../../test/faults/choose-positions.ts";
import { compileLibrary, type Fault } from "../../test/faults/fault-library.ts";
import { type Deed, type FaultyTick, meetFault, surveyCalls } from "../../test/faults/faulty-tick.ts";
import { listIsolations } from "../../test/support/isolations.ts";
import { mergeRows } from "../measured.ts";
import { type FaultOuting, makeFaultRow, nameFaultRow } from "./fault-rows.ts";

const MEASURED = "lab/faults/measured.json";
const AT_ONCE = 2;
/** The executable recovers from one fault out of so many, from the others a relais that is no process. */
const EXECUTABLE_EVERY = 10;

const FAULTS: readonly Omit<Fault, "at">[] = [
  { error: "ENOSPC", mode: "once" },
  { error: "EIO", mode: "once" },
  { error: "ENOSPC", mode: "full" },
  { error: "EIO", mode: "dead" },
  { error: "EROFS", mode: "dead" },
];
const DEEDS: readonly Deed[] = ["tick", "recovery"];

const { values, positionals: limits } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    minutes: { type: "string", default: "Infinity" },
    write: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const end = performance.now() + Number(values.minutes) * 60_000;
const library = compileLibrary();
if ("missing" in library) {
  console.log(`Faults are not tried here: ${library.missing}.`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "relais-faults-"));
try {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  const built: Built = { executable: join(folder, "dist/relais.cjs"), library: join(folder, "library/main.cjs") };
  cpSync("dist", dirname(built.executable), { recursive: true }); // A build in the meantime must not change what is tested.
  execFileSync(process.execPath, ["scripts/build-library.mjs", built.library], { stdio: "inherit" });
  const outings: FaultOuting[] = [];
  const all = await listOutings();
  for (const [index, outing] of all.entries()) {
    const share = (end - performance.now()) / (all.length - index);
    outings.push(await tryOuting(built, outing, performance.now() + share));
  }
  const commit = readCommit();
  const rows = outings.map((outing) => makeFaultRow(outing, commit));
  for (const row of rows) console.log(nameFaultRow(row), JSON.stringify(row.ends));
  if (values.write) mergeRows(MEASURED, rows, nameFaultRow);
  process.exitCode = outings.every(({ ticks }) => ticks.every(({ failures }) => failures.length === 0)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Built {
  readonly executable: string;
  /** The same as a library. */
  readonly library: string;
}

type Outing = Omit<FaultOuting, "calls" | "chosen" | "ticks">;

/** Those of a fault in every place and tick come before the next fault. */
async function listOutings(): Promise<readonly Outing[]> {
  const places = await listIsolations();
  const all = DEEDS.flatMap((deed) =>
    FAULTS.flatMap(({ error, mode }) =>
      places.flatMap((isolation) => KINDS.map((kind) => ({ deed, isolation, kind, error, mode }))),
    ),
  );
  return all.filter((outing) => limits.every((word) => Object.values<string>(outing).includes(word)));
}

async function tryOuting({ executable, library: path }: Built, outing: Outing, until: number): Promise<FaultOuting> {
  const { deed, isolation, kind, error, mode } = outing;
  const template = await openSite(executable, kind, { isolation, sandbox: "off" });
  const freshRelais = openFreshRelais(path, executable);
  try {
    const calls = await surveyCalls(libraryPath(), template, deed);
    const chosen = values.all ? calls.map((_, index) => index + 1) : choosePositions(calls);
    const waiting = [...chosen.entries()];
    const ends = new Set<string>();
    const ticks: FaultyTick[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && performance.now() < until; next = waiting.shift()) {
        const [index, at] = next;
        const quickRelais = index % EXECUTABLE_EVERY === 0 ? undefined : freshRelais;
        const tick = await meetFault(libraryPath(), template, { fault: { at, error, mode }, deed, ends, quickRelais });
        ticks.push(tick);
        report(outing, tick);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    console.error(`${Object.values(outing).join(" ")}: ${ticks.length} of ${chosen.length}, of ${calls.length} calls`);
    return { ...outing, calls: calls.length, chosen: chosen.length, ticks };
  } finally {
    template.remove();
  }
}

function report(outing: Outing, { fault, call, said, failures }: FaultyTick): void {
  if (failures.length === 0) return;
  console.error(`${Object.values(outing).join(" ")}, ${fault.at} ${call ?? ""}: ${said.slice(0, 300)}`);
  for (const failure of failures) console.error(`  ${failure.slice(0, 1000)}`);
}

function libraryPath(): string {
  return "path" in library ? library.path : "";
}

function readCommit(): string {
  return execFileSync("git", ["rev-parse", "--short=10", "HEAD"], { encoding: "utf8" }).trim();
}
