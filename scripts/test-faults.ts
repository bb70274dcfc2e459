/**
 * Lets every call of a tick that changes a file fail, as on a full or broken disk, and looks at what is left. `--sample N`
 * takes N calls of each tick, spread over it. Words limit the run, as in `committed overlay ENOSPC`; `--write` writes the table
 * into docs/faults.md.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { KINDS, openSite } from "../test/crash/site.ts";
import { choosePositions } from "../test/faults/choose-positions.ts";
import { compileLibrary, type Fault } from "../test/faults/fault-library.ts";
import { type Deed, type FaultyTick, meetFault, surveyCalls } from "../test/faults/faulty-tick.ts";
import { listIsolations } from "../test/support/isolations.ts";
import { mergeParts } from "./bench/write-page.ts";
import { drawFaults, FAULT_TITLES, type FaultOuting } from "./faults-table.ts";
import { publishSummary } from "./publish-summary.ts";

const PAGE = "docs/faults.md";
const AT_ONCE = 2;

const FAULTS: readonly Omit<Fault, "at">[] = [
  { error: "ENOSPC", mode: "once" },
  { error: "EIO", mode: "once" },
  { error: "ENOSPC", mode: "full" },
  { error: "EIO", mode: "dead" },
  { error: "EROFS", mode: "dead" },
];
const DEEDS: readonly Deed[] = ["tick", "recovery"];

const { values, positionals: limits } = parseArgs({
  options: { sample: { type: "string" }, write: { type: "boolean", default: false } },
  allowPositionals: true,
});
const wanted = values.sample === undefined ? null : Number(values.sample);
if (wanted !== null && !(wanted >= 1)) throw new Error("--sample takes a whole number");
const library = compileLibrary();
if ("missing" in library) {
  console.log(`Faults are not tried here: ${library.missing}.`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "relais-faults-"));
try {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  const executable = join(folder, "dist/relais.cjs"); // A build in the meantime must not change what is tested.
  cpSync("dist", dirname(executable), { recursive: true });
  const outings: FaultOuting[] = [];
  for (const outing of await listOutings()) outings.push(await tryOuting(executable, outing, outings.length));
  const parts = drawFaults(outings, readCommit());
  for (const { text } of parts) console.log(text);
  const machine = "Made by `npm run test:faults -- --write`.";
  const titles = Object.values(FAULT_TITLES);
  if (values.write) publishSummary(PAGE, mergeParts(readFileSync(PAGE, "utf8"), { machine, parts, titles }));
  process.exitCode = outings.every(({ ticks }) => ticks.every(({ failures }) => failures.length === 0)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

type Outing = Omit<FaultOuting, "calls" | "ticks">;

async function listOutings(): Promise<readonly Outing[]> {
  const places = await listIsolations();
  const all = DEEDS.flatMap((deed) =>
    places.flatMap((isolation) =>
      KINDS.flatMap((kind) => FAULTS.map(({ error, mode }) => ({ deed, isolation, kind, error, mode }))),
    ),
  );
  return all.filter((outing) => limits.every((word) => Object.values<string>(outing).includes(word)));
}

async function tryOuting(executable: string, outing: Outing, turn: number): Promise<FaultOuting> {
  const { deed, isolation, kind, error, mode } = outing;
  const template = await openSite(executable, kind, { isolation, sandbox: "off" });
  try {
    const calls = await surveyCalls(libraryPath(), template, deed);
    const waiting = [...choosePositions(calls, wanted, turn)];
    const ticks: FaultyTick[] = [];
    const work = async (): Promise<void> => {
      for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
        const tick = await meetFault(libraryPath(), template, { fault: { at, error, mode }, deed });
        ticks.push(tick);
        report(outing, tick);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    console.error(`${Object.values(outing).join(" ")}: ${ticks.length} of ${calls.length}`);
    return { ...outing, calls: calls.length, ticks };
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
