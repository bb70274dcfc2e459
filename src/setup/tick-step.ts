/** The steps of the demonstration that are one tick: task, commands, and proof. */
import type { DemoAct, DemoLook, DemoOutcome, DemoStep, DemoTick, DemoTickOutcome } from "../records/demo.ts";
import { Report } from "../records/report.ts";
import { parseWith } from "../base/schema-error.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { countNoun } from "../base/count-noun.ts";
import type { DemoStage } from "./demo-stage.ts";

const locateTask = (id: string) => `tasks/${id}.json`;

export function listActTasks({ steps }: DemoAct): Readonly<Record<string, unknown>> {
  const tasks = steps.flatMap(({ id, tick }, at) => (tick === undefined ? [] : [[locateTask(id), makeTask(tick, at)]]));
  return Object.fromEntries(tasks);
}

/** Small: it may change src, and one check must be green. */
function makeTask({ asked, says, script, commits, mends = [] }: DemoTick, at: number): object {
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
    mends,
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
  { before, after, ran }: { readonly before: DemoLook; readonly after: DemoLook; readonly ran: DemoOutcome["ran"] },
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
