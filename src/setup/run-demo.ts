import type {
  DemoAct,
  DemoReading,
  DemoOutcome,
  DemoStep,
  DemoTick,
  DemoTickOutcome,
  DemoRan,
} from "../records/demo.ts";
import { Report } from "../records/report.ts";
import { parseWith } from "../base/schema-error.ts";
import { MeasurementError } from "../base/errors.ts";
import { countNoun } from "../base/words.ts";
import { type DemoStage, type Theatre, openTheatre, type DemoStageRequest } from "./demo-stage.ts";
import { join } from "node:path";
import { readClockMs } from "../system/clock.ts";
import type { NotReady } from "../records/command-failure.ts";
import { explainUnusableGit } from "../workspace/usable-git.ts";

/** The steps of the demonstration that are one tick: task, commands, and proof. */

const locateTask = (id: string) => `tasks/${id}.json`;

export function listActTasks({ steps }: DemoAct): Readonly<Record<string, unknown>> {
  const tasks = steps.flatMap(({ id, tick }, at) => (tick === undefined ? [] : [[locateTask(id), makeTask(tick, at)]]));
  return Object.fromEntries(tasks);
}

/** Small: it may change src, and one check must be green. */
function makeTask({ asked, says, script, commits, fixes = [] }: DemoTick, at: number): object {
  const result = { summary: says, files_intended: commits, commands_ran: [], notes: [] };
  const steps = [...script, ...(says === null ? [] : [{ do: "result", content: result }])];
  return {
    task_id: `DEMO-${at + 1}`,
    milestone_id: "DEMO",
    task_kind: "execute",
    intent: asked,
    scope: {
      allowed_globs: ["src/**"],
      forbidden_globs: [],
      allow_new_files: false,
      allow_lockfile_changes: false,
    },
    diff_limits: { max_files_touched: 3, max_lines_changed: 40 },
    verification: { fast: ["check"], slow: [] },
    fixes,
    builder: { mode: "scripted", max_turns: 1, instructions: JSON.stringify({ steps }) },
  };
}

const STOPPED = 10;
const STATUS_LINE = "git status --short";

/** A kept change is accepted; after a crash, the damage is shown and recovered. */
export function listTickCommands({ id, tick }: DemoStep): DemoStep["commands"] {
  if (tick === undefined) return [];
  const line = `relais run --task ../${locateTask(id)}`;
  if (tick.code === "SUCCESS") return [line, "relais accept"];
  if (tick.says !== null) return [{ line, end: STOPPED }];
  return [{ line, end: "SIGKILL" }, STATUS_LINE, "relais recover"];
}

export async function readTickOutcome(
  stage: DemoStage,
  {
    before,
    after,
    ran,
  }: { readonly before: DemoReading; readonly after: DemoReading; readonly ran: DemoOutcome["ran"] },
): Promise<DemoTickOutcome> {
  const damage = ran.find(({ line }) => line === STATUS_LINE)?.stdout ?? "";
  return {
    report: readReport(stage),
    before,
    after,
    damage: damage.split("\n").filter((line) => line !== ""),
    committed: before.head === after.head ? null : await stage.changedBetween(before.head, after.head),
  };
}

const REPORT = "relais/REPORT.json";

function readReport(stage: DemoStage): Report {
  try {
    const report = parseWith(Report, JSON.parse(stage.read(REPORT) ?? ""));
    if (report.kind === "valid") return report.value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new MeasurementError(REPORT, "there is no report of the tick");
}

const SHORT_COMMIT = 12;

/** A change is kept as one commit of exactly these paths, or everything is as before by a fingerprint of our own. */
export function listTickClaims(
  { code, commits, says }: DemoTick,
  { report, before, after, damage, committed }: DemoTickOutcome,
): DemoOutcome["claims"] {
  const commit = after.head.slice(0, SHORT_COMMIT);
  const files = countNoun(after.fingerprint.files, "file");
  const isExact = after.fingerprint.sha256 === before.fingerprint.sha256;
  const ended = { words: `it ended with ${code}`, isTrue: report.code === code };
  if (commits.length > 0) {
    const words = `HEAD is ${commit}: ${commits.join(", ")}, and nothing else is different in it`;
    return [ended, { words, isTrue: committed?.join() === commits.join() }];
  }
  return [
    ...(says === null ? [{ words: "the crash left half a change behind", isTrue: damage.length > 0 }] : []),
    ended,
    { words: `${files}, git's own data included, are byte for byte as before`, isTrue: isExact },
    { words: `HEAD is still ${commit}`, isTrue: committed === null },
  ];
}

/** Plays an act: types its commands in its repository, and measures what must be true afterwards. */

/** Called as things happen, so that a person can read along. */
export interface Audience {
  readonly onStep: (step: DemoStep, at: number) => void;
  readonly onOutcome: (outcome: DemoOutcome) => void;
}

export async function playAct(act: DemoAct, theatre: Theatre, audience: Audience): Promise<void> {
  const { sample, steps } = act;
  const stage = await theatre.setStage({ ...sample, beside: { ...sample.beside, ...listActTasks(act) } });
  for (const [index, step] of steps.entries()) {
    audience.onStep(step, index + 1);
    audience.onOutcome(await playStep(stage, step));
  }
}

async function playStep(stage: DemoStage, step: DemoStep): Promise<DemoOutcome> {
  const before = await stage.look();
  const ran: DemoRan[] = [];
  for (const command of [...listTickCommands(step), ...step.commands]) ran.push(await typeCommand(stage, command));
  const after = await stage.look();
  const tick = step.tick === undefined ? null : await readTickOutcome(stage, { before, after, ran });
  const log = await stage.git("log", "--format=%s", "--reverse");
  const claims = [
    ...(tick === null || step.tick === undefined ? [] : listTickClaims(step.tick, tick)),
    ...step.expects.map((expected) => checkClaim(expected, readText(expected.in, { stage, ran, log }))),
    { words: "git status is clean", isTrue: after.status.length === 0 },
  ];
  const isAsExpected = ran.every((one) => one.isAsExpected) && claims.every(({ isTrue }) => isTrue);
  return { step, ran, claims, tick, isAsExpected };
}

async function typeCommand(stage: DemoStage, command: DemoStep["commands"][number]): Promise<DemoRan> {
  const { line, end: wanted } = typeof command === "string" ? { line: command, end: 0 } : command;
  const [program, ...args] = splitWords(line);
  if (program === "git") return { line, end: 0, isAsExpected: true, stdout: await stage.git(...args), stderr: "" };
  const { status, signal, stdout, stderr } = await stage.relais(...args);
  const end = status ?? signal ?? "";
  return { line, end, isAsExpected: end === wanted, stdout, stderr };
}

/** As a shell would; double quotes hold spaces together. */
function splitWords(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

function readText(
  source: string,
  { stage, ran, log }: { readonly stage: DemoStage; readonly ran: readonly DemoRan[]; readonly log: string },
): string {
  if (source === "output") return ran.at(-1)?.stdout ?? "";
  return source === "log" ? log.trimEnd() : (stage.read(source) ?? "");
}

function checkClaim(
  { claim, matches, times }: DemoStep["expects"][number],
  text: string,
): DemoOutcome["claims"][number] {
  const found = [...text.matchAll(new RegExp(matches, "gu"))].length;
  return { words: claim, isTrue: times === undefined ? found > 0 : found === times };
}

/** `relais demo`: the acts of the demonstration on sample repositories, played by the real executable. */

export interface DemoRequest extends DemoStageRequest, Audience {
  readonly acts: readonly DemoAct[];
  readonly onOpening: (place: DemoPlace) => void;
  readonly onAct: (act: PlayedAct) => void;
}

interface DemoPlace {
  readonly folder: string;
  readonly wrapper: string;
}

interface PlayedAct extends Pick<DemoAct, "id" | "title" | "about" | "next"> {
  readonly root: string;
}

export type DemoEnd =
  | {
      readonly kind: "played";
      readonly place: DemoPlace;
      readonly acts: readonly (PlayedAct & { readonly outcomes: readonly DemoOutcome[] })[];
      readonly durationMs: number;
    }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly message: string }
  | NotReady
  | { readonly kind: "stopped" };

/** The folder stays for inspection. */
export async function runDemo(request: DemoRequest): Promise<DemoEnd> {
  try {
    return await play(request);
  } catch (error) {
    if (request.signal.aborted) return { kind: "stopped" };
    if (error instanceof MeasurementError) return { kind: "failed", message: error.message };
    throw error;
  }
}

async function play(request: DemoRequest): Promise<DemoEnd> {
  const began = readClockMs();
  // Before the folder is made, which stays otherwise.
  const unusable = await explainUnusableGit("/", request.environment);
  if (unusable !== null) return unusable;
  const theatre = await openTheatre(request);
  if (theatre.kind === "refused") return theatre;
  const { folder, wrapper } = theatre;
  request.onOpening({ folder, wrapper });
  const acts = [];
  for (const act of request.acts) {
    const { id, title, about, next, sample } = act;
    const played = { id, title, about, next, root: join(folder, sample.repository) };
    const outcomes: DemoOutcome[] = [];
    request.onAct(played);
    await playAct(act, theatre, {
      onStep: request.onStep,
      onOutcome: (outcome) => {
        outcomes.push(outcome);
        request.onOutcome(outcome);
      },
    });
    acts.push({ ...played, outcomes });
  }
  return { kind: "played", place: { folder, wrapper }, acts, durationMs: readClockMs() - began };
}
