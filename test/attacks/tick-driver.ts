/**
 * Lets attacks loose, each in a whole tick of the real executable, and says what became of each.
 *
 * It is bundled and run as a process of its own, once as root and once as an ordinary user: each hides faults of the
 * other. It prints one line of JSON for each attack.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { GOOD_BUILDER } from "../../src/drill/pure/drill-stage.ts";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { endStrays, type Stray } from "../../src/drill/plain-listing.ts";
import { listIsolations } from "../support/isolations.ts";
import { shuffle } from "../support/landing-seed.ts";
import { differences, type Walk } from "../support/walker.ts";
import { ATTACKS, discoverAttacks } from "./discover.ts";
import { aboutPrevention } from "./elsewhere.ts";
import { keepGrounds, STAGE } from "./ground.ts";
import { complaints, type Ended, originalOf, reportOf, sortByPlace } from "./inspect.ts";
import { removeBox, whyNot } from "./needs.ts";
import { runProgram } from "./run-program.ts";
import { findSetting, isPlain, type Setting, SETTINGS } from "./setting.ts";
import { openStage, type Stage } from "./stage.ts";

/**
 * `found`: the tick ended as the attack's comment says. `told`: the same for one that only a sandbox could hold.
 * `passed`: the same for an honest one. `prevented`: what it tried had no effect. `escaped`: anything else.
 */
export type Outcome = "found" | "told" | "passed" | "prevented" | "escaped" | "skipped";

/** What became of one attack. */
export interface TickReport {
  readonly id: string;
  /** Why it was not let loose at all. */
  readonly skipped: string | null;
  readonly setting: Setting;
  readonly outcome: Outcome;
  /** Of an escape. */
  readonly complaints: readonly string[];
  readonly ms: number;
}

/** The settings of all: one place and one sandbox, or `drawn` and a seed, for what this machine has. */
const [work = "", executable = "", only = "", place = "", sandboxOrSeed = ""] = process.argv.slice(2);
const lay = keepGrounds(join(work, "templates"));
const AT_ONCE = 2;

function hasSandbox(): boolean {
  const walls = ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"];
  return spawnSync("bwrap", walls, { stdio: "ignore" }).status === 0;
}

async function listSettings(): Promise<readonly Setting[]> {
  if (place !== "drawn") return [findSetting(place, sandboxOrSeed)];
  const isolations: readonly string[] = await listIsolations();
  const isWalled = hasSandbox();
  return SETTINGS.filter(({ isolation, sandbox }) => isolations.includes(isolation) && (sandbox === "off" || isWalled));
}

interface Verdict {
  readonly outcome: Outcome;
  readonly complaints: readonly string[];
}

interface Play {
  readonly builder: HostileBuilder;
  readonly stage: Stage;
  readonly setting: Setting;
}

/** One tick, or one that is cut short and its recovery; then what is wrong about it. */
async function play({ builder, stage, setting }: Play): Promise<Verdict> {
  const before = stage.look();
  const first = await stage.relais(runArguments(stage));
  const isCut = builder.recovered !== null && (isPlain(setting) || first.status === null);
  const ran = isCut ? await recover(builder, stage) : first;
  const strays = await left(stage, { builder, setting });
  const ended: Ended = { builder, stage, ran, before, setting };
  const wrong = [...complaints(ended), ...strays];
  const verdict = judge(ended, { wrong, strays, isCut });
  if (verdict.outcome === "escaped") return verdict;
  if (builder.afterwards !== null && wrong.length === 0) stage.command(builder.afterwards);
  const codes = [builder.next, ...(wrong.length > 0 ? ["SUCCESS"] : [])];
  return builder.next === null ? verdict : playNext(stage, { verdict, codes });
}

/** A second tick, by a builder that does the task as it should. */
async function playNext(
  stage: Stage,
  { verdict, codes }: { readonly verdict: Verdict; readonly codes: readonly (string | null)[] },
): Promise<Verdict> {
  if (reportOf(stage)?.code === "SUCCESS") stage.git("checkout", "-q", "--", ".");
  stage.hire(GOOD_BUILDER);
  const { stdout, stderr } = await stage.relais(runArguments(stage));
  const code = reportOf(stage)?.code ?? null;
  return codes.includes(code) ? verdict : escape([`the next tick ended as ${String(code)}: ${stdout}${stderr}`]);
}

const runArguments = ({ box }: Stage): readonly string[] => ["run", "--task", join(box, "task.json")];

const escape = (wrong: readonly string[]): Verdict => ({ outcome: "escaped", complaints: wrong });

interface Observed {
  /** What is not as the attack's comment says. */
  readonly wrong: readonly string[];
  readonly strays: readonly string[];
  readonly isCut: boolean;
}

function judge(ended: Ended, { wrong, strays, isCut }: Observed): Verdict {
  const { builder, setting } = ended;
  if (wrong.length === 0) return { outcome: nameOutcome(ended), complaints: [] };
  if (isPlain(setting)) return escape(wrong);
  const judged = isCut ? ended : { ...ended, builder: { ...builder, recovered: null } };
  const still = [...aboutPrevention(judged), ...strays];
  return still.length === 0 ? { outcome: "prevented", complaints: [] } : escape([...still, ...wrong]);
}

/** Of a tick that ended as in place. In a sandbox, nothing around it has changed, and nothing is left running. */
function nameOutcome(ended: Ended): Outcome {
  const { class: kind, needs, outside } = ended.builder;
  if (originalOf(ended).length > 0) return "told";
  if (kind === "honest") return "passed";
  const isHeld = ended.setting.sandbox === "auto" && (outside.length > 0 || kind === "processes");
  if (needs === "sandbox") return isHeld ? "prevented" : "told";
  return "found";
}

/** A recovery that has to ask changes nothing before. */
async function recover({ recovered }: HostileBuilder, stage: Stage): Promise<Ended["ran"]> {
  if (recovered === "yes") return stage.relais(["recover"]);
  const crashed = stage.look();
  const refused = await stage.relais(["recover"]);
  const isRefused = refused.stderr.includes("git does not confirm") && differences(crashed, stage.look()).length === 0;
  return isRefused ? stage.relais(["recover", "--yes"]) : refused;
}

/** Ends what is left, so that no attack disturbs another, and tells of it unless it could not be prevented. */
async function left({ box }: Stage, { builder, setting }: Pick<Play, "builder" | "setting">): Promise<string[]> {
  const found = await endStrays(box);
  const isForetold = builder.needs === "sandbox" && builder.class === "processes" && setting.sandbox === "off";
  // On a busy machine it may be caught before it has hidden, which is more than is promised.
  const isShown = found.length > 0 || readdirSync(join(box, "pids")).length > 0;
  if (isForetold) return isShown ? [] : ["it started nothing, so it proves nothing"];
  return found.map(({ pid, command }: Stray) => `it left ${pid} running: ${command}`);
}

interface Opening {
  readonly builder: HostileBuilder;
  readonly box: string;
  readonly setting: Setting;
}

/** Honest work on a repository of its own kind: what it changes where no relais is around it. */
async function learnWork({
  builder,
  box,
  setting,
}: Opening): Promise<{ builder: HostileBuilder; wanted: Walk | null }> {
  if (builder.kind === STAGE || builder.expect[0] !== "SUCCESS") return { builder, wanted: null };
  const stage = openStage({ lay, box, builder, executable, setting });
  try {
    const before = stage.look();
    await runProgram({ builder, folder: join(work, ATTACKS), root: stage.root, box });
    const wanted = stage.look();
    const changed = sortByPlace(stage.ground, differences(before, wanted)).inside;
    return { builder: { ...builder, changed }, wanted };
  } finally {
    removeBox(box);
  }
}

/** Byte for byte what the work makes of the files, wherever the tick worked. */
function compareWork(stage: Stage, wanted: Walk | null): string[] {
  if (wanted === null) return [];
  return sortByPlace(stage.ground, differences(wanted, stage.look())).inside.map((line) => `unlike its work: ${line}`);
}

async function playAlone({ builder: told, box, setting }: Opening): Promise<Verdict> {
  const { builder, wanted } = await learnWork({ builder: told, box, setting });
  const stage = openStage({ lay, box, builder, executable, setting });
  const verdict = await play({ builder, stage, setting });
  // Where git's own data is read-only, work that stages something fails, and nothing of it is kept.
  const unlike = verdict.outcome === "passed" ? compareWork(stage, wanted) : [];
  return unlike.length === 0 ? verdict : escape(unlike);
}

async function report(builder: HostileBuilder, setting: Setting): Promise<TickReport> {
  const started = Date.now();
  const tell = ({ outcome, complaints: wrong }: Verdict, skipped: string | null = null): TickReport => ({
    id: builder.id,
    skipped,
    setting,
    outcome,
    complaints: wrong,
    ms: Date.now() - started,
  });
  const skipped = whyNot(builder, work);
  if (skipped !== null) return tell({ outcome: "skipped", complaints: [] }, skipped);
  const box = join(work, builder.id.replaceAll("/", "-"));
  try {
    return tell(await playAlone({ builder, box, setting }));
  } catch (error) {
    return tell(escape([error instanceof Error ? (error.stack ?? error.message) : String(error)]));
  } finally {
    removeBox(box);
  }
}

const settings = await listSettings();
const known = new Map(discoverAttacks(join(work, ATTACKS)).map((builder) => [builder.id, builder]));
const waiting = only
  .split(",")
  .flatMap((id) => known.get(id) ?? [])
  .values();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (const builder of waiting) {
      const [setting] = shuffle(settings, builder.id, sandboxOrSeed);
      if (setting !== undefined) process.stdout.write(`${JSON.stringify(await report(builder, setting))}\n`);
    }
  }),
);
