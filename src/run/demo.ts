/**
 * `relais demo`: five ticks on a sample repository, each one a real process with a real builder.
 *
 * Nothing is shown that was not measured afterwards: a scene counts only when its tick ended with the code that was
 * foretold and when the repository, by a fingerprint that shares no code with relais' own, is what it must be.
 */
import * as v from "valibot";
import { MeasurementError } from "../contract/measurement-error.ts";
import { Report } from "../contract/report.ts";
import { parseWith } from "../contract/schema-error.ts";
import { currentTimeMs } from "../io/clock.ts";
import { demoScenes, type Scene, TILL } from "./demo-scenes.ts";
import { buildStage, type Look, type Ran, type Stage, type StageRequest } from "./demo-stage.ts";
import { gitUnusable, type Unready } from "./ground.ts";

export interface DemoRequest extends StageRequest {
  /** Told as things happen, so that a person can read along. */
  readonly onOpening: (place: DemoPlace) => void;
  readonly onScene: (scene: Scene, at: number) => void;
  readonly onOutcome: (outcome: SceneOutcome) => void;
}

interface DemoPlace {
  readonly folder: string;
  readonly root: string;
  readonly wrapper: string;
  readonly scenes: number;
}

/** How a scene came out. */
export interface SceneOutcome {
  readonly scene: Scene;
  readonly report: Report;
  /** The signal that ended relais in the middle; null where nothing did. */
  readonly killedBy: string | null;
  /** What git listed as changed right after the crash. */
  readonly damage: readonly string[];
  readonly before: Look;
  readonly after: Look;
  /** The paths of the commit that a kept change became; null where nothing was kept. */
  readonly committed: readonly string[] | null;
  readonly isAsTold: boolean;
}

export type DemoEnd =
  | {
      readonly kind: "played";
      readonly place: DemoPlace;
      readonly outcomes: readonly SceneOutcome[];
      readonly durationMs: number;
    }
  | { readonly kind: "refused"; readonly reason: string }
  /** Something on this machine is missing or does not answer. */
  | { readonly kind: "failed"; readonly message: string }
  | Unready
  | { readonly kind: "stopped" };

/** Plays all scenes and leaves the folder for inspection. */
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
  const began = currentTimeMs();
  // Without git there is nothing to show, and no folder to leave behind.
  const unusable = await gitUnusable("/");
  if (unusable !== null) return unusable;
  const scenes = demoScenes(request.relais[0]);
  const stage = await buildStage(request, scenes);
  if (stage.kind === "refused") return stage;
  const { folder, root, wrapper } = stage;
  const place = { folder, root, wrapper, scenes: scenes.length };
  request.onOpening(place);
  const outcomes: SceneOutcome[] = [];
  for (const [index, scene] of scenes.entries()) {
    request.onScene(scene, index + 1);
    const outcome = await playScene(stage, scene, index + 1);
    request.onOutcome(outcome);
    outcomes.push(outcome);
  }
  return { kind: "played", place, outcomes, durationMs: currentTimeMs() - began };
}

type Course = Pick<SceneOutcome, "report" | "killedBy" | "damage">;

async function playScene(stage: Stage, scene: Scene, at: number): Promise<SceneOutcome> {
  const before = await stage.look();
  const ran = await stage.relais("run", "--task", stage.taskFile(at), "--json");
  const course = scene.isCrash ? await recover(stage, ran) : courseOf(ran);
  const isKept = course.report.settle?.action === "accept";
  if (isKept) demand(await stage.relais("accept", "--json"), "relais accept");
  const after = await stage.look();
  const committed = isKept ? await stage.changedBetween(before.head, after.head) : null;
  const outcome = { scene, ...course, before, after, committed };
  return { ...outcome, isAsTold: isAsTold(outcome) };
}

function courseOf(ran: Ran): Course {
  return { report: reportIn(ran, "relais run"), killedBy: ran.signal, damage: [] };
}

async function recover(stage: Stage, { signal }: Ran): Promise<Course> {
  const { status } = await stage.look();
  const recovered = await stage.relais("recover", "--json");
  const document = parseWith(v.object({ report: Report }), parsed(recovered.stdout, "relais recover"));
  if (document.kind === "invalid") throw new MeasurementError("relais recover", "answered without a report");
  return { report: document.value.report, killedBy: signal, damage: status };
}

function reportIn({ stdout }: Ran, what: string): Report {
  const report = parseWith(Report, parsed(stdout, what));
  if (report.kind === "valid") return report.value;
  throw new MeasurementError(what, `answered without a report: ${stdout.slice(0, 2000)}`);
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MeasurementError(what, `did not answer with JSON: ${text.slice(0, 2000)}`);
  }
}

function demand({ status, stdout }: Ran, what: string): void {
  if (status !== 0) throw new MeasurementError(what, `ended with status ${status}: ${stdout.slice(0, 2000)}`);
}

function isAsTold(outcome: Omit<SceneOutcome, "isAsTold">): boolean {
  const { scene, report, killedBy, damage, before, after, committed } = outcome;
  const isExact =
    committed === null
      ? after.fingerprint.sha256 === before.fingerprint.sha256 && after.head === before.head
      : committed.join() === TILL && after.head !== before.head;
  const hasCrashed = killedBy === "SIGKILL" && damage.length > 0;
  return (
    report.code === scene.code &&
    (committed === null) === (scene.code !== "SUCCESS") &&
    isExact &&
    after.status.length === 0 &&
    hasCrashed === scene.isCrash
  );
}
