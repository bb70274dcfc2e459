/**
 * The first act: five ticks on a small shop, each one a real process with a real builder.
 *
 * A scene counts only when its tick ended with the code that was foretold and when the repository, by a fingerprint
 * that shares no code with relais' own, is what it must be.
 */
import { join } from "node:path";
import * as v from "valibot";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { Report } from "../../contract/documents/report.ts";
import { parseWith } from "../../contract/schema/schema-error.ts";
import type { DemoAct, SceneOutcome } from "./demo-act.ts";
import { CHECK_ID, demoScenes, type Scene, sceneTask, TILL, TILL_TEXT } from "./demo-scenes.ts";
import type { Ran, Sample, Stage } from "./demo-stage.ts";

const CHECK = `import { strictEqual } from "node:assert";
import { total } from "../src/till.mjs";

strictEqual(total([{ price: 2, count: 3 }]), 6);
strictEqual(total([{ price: 50, count: 1 }, { price: 1, count: 20 }]), 70);
`;

const README = "# A small shop\n\nThe till is in src, the check in check.\n";
const REPOSITORY = "shop";

export const tickAct: DemoAct = {
  id: "tick",
  title: "One step, judged",
  about:
    "Five pieces of work on a small shop, done by a builder that plays a script. Each one is run by the real " +
    "relais, as a process of its own, on a real git repository. The till of the shop forgets how many of each item " +
    "are bought. Every task may change src and nothing else, and one check says whether the till is right.",
  repository: REPOSITORY,
  next: [
    { command: "../relais history list", explains: "every tick, with its verdict" },
    { command: "../relais salvage list", explains: "the work that was put back" },
    { command: "git log --stat", explains: "the one change that was kept" },
  ],
  play: async ({ folder, node, setStage }, { onPiece, onOutcome }) => {
    const scenes = demoScenes(node);
    const stage = await setStage(sampleOf(node, scenes));
    for (const [index, scene] of scenes.entries()) {
      onPiece({ kind: "scene", scene }, index + 1);
      onOutcome(await playScene(stage, scene, join(folder, taskName(index + 1))));
    }
  },
};

function sampleOf(node: string, scenes: readonly Scene[]): Sample {
  const tasks = scenes.map((scene, index) => [taskName(index + 1), sceneTask(scene, index + 1)]);
  return {
    repository: REPOSITORY,
    files: {
      "README.md": README,
      [TILL]: TILL_TEXT,
      "check/till.mjs": CHECK,
      "relais.config.json": {
        builder: { default_mode: "scripted" },
        scope: { default_allowed_globs: ["src/**"] },
        verification: { templates: [{ id: CHECK_ID, cmd: node, args: ["check/till.mjs"] }] },
      },
    },
    beside: Object.fromEntries(tasks),
    subject: "feat: a small shop",
  };
}

const taskName = (at: number) => `tasks/${at}.json`;

type Course = Pick<SceneOutcome, "report" | "killedBy" | "damage">;

async function playScene(stage: Stage, scene: Scene, taskFile: string): Promise<SceneOutcome> {
  const before = await stage.look();
  const ran = await stage.relais("run", "--task", taskFile, "--json");
  const course = scene.isCrash ? await recover(stage, ran) : courseOf(ran);
  const isKept = course.report.settle?.action === "accept";
  if (isKept) demand(await stage.relais("accept", "--json"), "relais accept");
  const after = await stage.look();
  const committed = isKept ? await stage.changedBetween(before.head, after.head) : null;
  const outcome = { kind: "scene", scene, ...course, before, after, committed } as const;
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
