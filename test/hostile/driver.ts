/**
 * Lets builders loose, each in a whole tick of the real executable, and says what became of each.
 *
 * It is bundled and run as a process of its own, once as root and once as an ordinary user: each hides faults of the
 * other. It prints one line of JSON for each builder.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { discoverBuilders } from "./builder.ts";
import type { HostileBuilder } from "../../src/core/drill/hostile-builder.ts";
import { differences } from "../support/walker.ts";
import { aboutPrevention } from "./elsewhere.ts";
import { complaints, type Ended, originalOf, reportOf } from "./inspect.ts";
import { findSetting, isPlain } from "./setting.ts";
import { GOOD_BUILDER } from "../../src/core/drill/drill-stage.ts";
import { buildTemplate, openStage, type Stage } from "./stage.ts";
import { endStrays, type Stray } from "../../src/io/drill/strays.ts";

/**
 * `found`: the tick ended as the builder's comment says. `told`: the same for one that only a sandbox could hold.
 * `passed`: the same for an honest one. `prevented`: what it tried had no effect. `escaped`: anything else.
 */
export type Outcome = "found" | "told" | "passed" | "prevented" | "escaped" | "skipped";

/** What became of one builder. */
export interface HostileReport {
  readonly id: string;
  /** Why it was not let loose at all. */
  readonly skipped: string | null;
  readonly outcome: Outcome;
  /** Of an escape. */
  readonly complaints: readonly string[];
  readonly ms: number;
}

const [work = "", executable = "", only = "", isolation = "", sandbox = ""] = process.argv.slice(2);
const setting = findSetting(isolation, sandbox);
const template = join(work, "template");
const AT_ONCE = 2;

function works(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/** Root on a file system that knows immutable files. */
function canChangeAttributes(): boolean {
  const probe = join(work, "probe");
  writeFileSync(probe, "");
  return works("chattr", "+i", probe) && works("chattr", "-i", probe);
}

function canMount(): boolean {
  const probe = join(work, "mount-probe");
  mkdirSync(probe, { recursive: true });
  return works("mount", "-t", "tmpfs", "none", probe) && works("umount", probe);
}

function mountless(needs: HostileBuilder["needs"]): string | null {
  return needs !== "mount" || canMount() ? null : "needs root and the right to mount";
}

function missing(needs: HostileBuilder["needs"], need: HostileBuilder["needs"], program: string): string | null {
  return needs !== need || works(program, "--version") ? null : `needs ${program}`;
}

function whyNot({ needs }: HostileBuilder): string | null {
  const isRoot = process.getuid?.() === 0;
  const reasons: Readonly<Record<HostileBuilder["needs"], string | null>> = {
    nothing: null,
    sandbox: null,
    root: isRoot ? null : "needs root",
    user: isRoot ? "needs an ordinary user" : null,
    linux: process.platform === "linux" ? null : "needs Linux",
    chattr: needs !== "chattr" || canChangeAttributes() ? null : "needs root and immutable files",
    mount: mountless(needs),
    python: missing(needs, "python", "python3"),
    make: missing(needs, "make", "make"),
  };
  return reasons[needs];
}

interface Verdict {
  readonly outcome: Outcome;
  readonly complaints: readonly string[];
}

/** One tick, or one that is cut short and its recovery; then what is wrong about it. */
async function play(builder: HostileBuilder, stage: Stage): Promise<Verdict> {
  const before = stage.look();
  const first = await stage.relais(runArguments(stage));
  const isCut = builder.recovered !== null && (isPlain(setting) || first.status === null);
  const ran = isCut ? await recover(builder, stage) : first;
  const strays = await left(stage, builder);
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
  /** What is not as the builder's comment says. */
  readonly wrong: readonly string[];
  readonly strays: readonly string[];
  readonly isCut: boolean;
}

function judge(ended: Ended, { wrong, strays, isCut }: Observed): Verdict {
  const { builder } = ended;
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
  const isHeld = setting.sandbox === "auto" && (outside.length > 0 || kind === "processes");
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

/** Ends what is left, so that no builder disturbs another, and tells of it unless it could not be prevented. */
async function left({ box }: Stage, builder: HostileBuilder): Promise<string[]> {
  const found = await endStrays(box);
  const isForetold = builder.needs === "sandbox" && builder.class === "processes" && setting.sandbox === "off";
  // On a busy machine it may be caught before it has hidden, which is more than is promised.
  const isShown = found.length > 0 || readdirSync(join(box, "pids")).length > 0;
  if (isForetold) return isShown ? [] : ["it started nothing, so it proves nothing"];
  return found.map(({ pid, command }: Stray) => `it left ${pid} running: ${command}`);
}

function remove(box: string): void {
  if (works("rm", "-rf", box)) return;
  spawnSync("find", [box, "-execdir", "chattr", "-f", "-ia", "{}", "+"], { stdio: "ignore" });
  spawnSync("chmod", ["-R", "u+rwX", box], { stdio: "ignore" });
  execFileSync("rm", ["-rf", box]);
}

async function report(builder: HostileBuilder): Promise<HostileReport> {
  const started = Date.now();
  const tell = ({ outcome, complaints: wrong }: Verdict, skipped: string | null = null): HostileReport => ({
    id: builder.id,
    skipped,
    outcome,
    complaints: wrong,
    ms: Date.now() - started,
  });
  const skipped = whyNot(builder);
  if (skipped !== null) return tell({ outcome: "skipped", complaints: [] }, skipped);
  const box = join(work, builder.id.replaceAll("/", "-"));
  try {
    return tell(await play(builder, openStage({ template, box, builder, executable, setting })));
  } catch (error) {
    return tell(escape([error instanceof Error ? (error.stack ?? error.message) : String(error)]));
  } finally {
    remove(box);
  }
}

buildTemplate(template);
const known = new Map(discoverBuilders(join(work, "drill")).map((builder) => [builder.id, builder]));
const waiting = only
  .split(",")
  .flatMap((id) => known.get(id) ?? [])
  .values();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (const builder of waiting) process.stdout.write(`${JSON.stringify(await report(builder))}\n`);
  }),
);
