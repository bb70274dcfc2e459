/**
 * A repository in which `relais loop` is let run: the orchestrator proposes a list of tasks one after the other, and
 * what holds for the end of every series is checked each time.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import * as v from "valibot";
import { JournalLine } from "../../src/records/event.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { Report } from "../../src/records/report.ts";
import { SeriesSummary } from "../../src/records/series.ts";
import { foldWorkspaceState } from "../../src/journal/pure/workspace-state.ts";
import { accepts } from "./json-schema.ts";
import type { Ran } from "./relais.ts";
import { inWorld } from "./scenario.ts";
import { taskOf } from "./scenario-documents.ts";
import type { Variables, World } from "./scenario-world.ts";

/** Answers with the next task of the list, the last one again and again, unless the list has a program of its own. */
const BRAIN = [
  'box="${0%/*}"',
  'n=$(( $(cat "$HOME/asked" 2>/dev/null || echo 0) + 1 )); echo "$n" > "$HOME/asked"',
  'cp "$RELAIS_PROMPT_PATH" "$HOME/prompt-$n"',
  'if [ -e "$box/plans/$n.sh" ]; then . "$box/plans/$n.sh"; fi',
  'plan="$box/plans/$n.json"; [ -e "$plan" ] || plan="$box/plans/last.json"',
  'cat "$plan" > "$RELAIS_RESULT_PATH"',
  "",
].join("\n");

/** A task of the list, or the shell script of an orchestrator that does something else. */
type Plan = object | string;

export interface LoopWorld extends World {
  readonly loop: (args?: readonly string[], env?: Variables) => Promise<LoopRan>;
  readonly journal: () => readonly JournalLine[];
  /** How often the orchestrator was asked. */
  readonly asked: () => number;
  readonly prompt: (n: number) => string;
  /** Lays further plans out, from the n-th on. */
  readonly plan: (from: number, plans: readonly Plan[]) => void;
}

export interface LoopRan extends Ran {
  readonly reports: readonly Report[];
  readonly summary: SeriesSummary;
}

interface LoopRequest {
  readonly plans: readonly Plan[];
  readonly config?: object;
  readonly files?: Readonly<Record<string, string>>;
  /** The branch that the work begins on; a branch that is not protected where none is named. */
  readonly branch?: string;
  /** Whether each relais is a process of its own. */
  readonly ownProcess?: boolean;
  /** Whether it is on a disk. */
  readonly onDisk?: boolean;
}

let steps = 0;

/** A task that writes something new and passes the checks. */
export function goodStep(over: object = {}): object {
  steps += 1;
  const text = `export const answer = 42; // ${steps}\n`;
  return stepOf([{ do: "write", path: "src/main.ts", text }], over);
}

/** A task whose builder does these steps; each is another task than all before. */
export function stepOf(list: readonly object[], over: object = {}): object {
  steps += 1;
  const task = taskOf({ steps: list, task: { task_id: `T-${steps}`, intent: `Step ${steps}.`, ...over } });
  return v.parse(v.looseObject({}), task);
}

export const control = (action: "stop" | "continue", reason?: string): object => ({
  task_id: `T-${(steps += 1)}`,
  milestone_id: "M-1",
  control: { action, ...(reason === undefined ? {} : { reason }) },
});

export const STOP = control("stop", "All is done.");
export const RED = { do: "write", path: "src/main.ts", text: "export const answer = 0;\n" };

/** Builds a world with a list of plans, does something in it, and removes it. */
export async function inLoopWorld(
  { plans, config = {}, files = {}, branch, ownProcess = false, onDisk = false }: LoopRequest,
  work: (world: LoopWorld) => Promise<void>,
): Promise<void> {
  await inWorld({ brain: BRAIN, config, files, ownProcess, onDisk }, async (world) => {
    const folder = join(world.box, "plans");
    mkdirSync(folder);
    const plan: LoopWorld["plan"] = (from, list) => {
      for (const [index, one] of list.entries()) {
        const name = `${from + index}.${typeof one === "string" ? "sh" : "json"}`;
        writeFileSync(join(folder, name), typeof one === "string" ? one : JSON.stringify(one));
      }
    };
    plan(1, plans);
    writeFileSync(join(folder, "last.json"), JSON.stringify(plans.findLast((one) => typeof one !== "string") ?? STOP));
    if (branch !== undefined) world.git("checkout", "-qb", branch);
    const journal = (): readonly JournalLine[] =>
      readFileSync(join(world.state(), "journal.jsonl"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => v.parse(JournalLine, JSON.parse(line)));
    const home = (name: string): string => join(world.box, "home", name);
    await work({
      ...world,
      plan,
      journal,
      asked: () => (existsSync(home("asked")) ? Number(readFileSync(home("asked"), "utf8")) : 0),
      prompt: (n) => readFileSync(home(`prompt-${n}`), "utf8"),
      loop: async (args = [], env = {}) => readLoop(await world.relais(["loop", "--json", ...args], env)),
    });
  });
}

const published = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../schemas/${name}.schema.json`), "utf8"));
const REPORT_SCHEMA = published("report");
const SUMMARY_SCHEMA = published("series_summary");

/** What a loop printed: a report for each tick, and the summary, each as its published schema says. */
export function readLoop(ran: Ran): LoopRan {
  const documents = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const last = documents.at(-1);
  expect(documents.slice(0, -1).filter((document) => !accepts(REPORT_SCHEMA, document))).toEqual([]);
  expect([last].filter((document) => !accepts(SUMMARY_SCHEMA, document))).toEqual([]);
  return {
    ...ran,
    reports: documents.slice(0, -1).map((document) => v.parse(Report, document)),
    summary: v.parse(SeriesSummary, last),
  };
}

/** What holds after every series: nothing is locked, nothing lies about, nobody is left, and the journal tells it all. */
export function checkAfterSeries(world: LoopWorld, { status, summary }: LoopRan): void {
  const lines = world.journal();
  const { end, reason, series_id } = summary;
  expect(status).toBe(summary.exit_status);
  expect(lines.at(-1)).toMatchObject({ series_id, event: { type: "series_ended", end, reason } });
  expect(world.git("status", "--porcelain")).toBe("");
  checkNobodyIsLeft(world);
  expect(world.read("relais/ledger.jsonl")).toBe(readFileSync(join(world.state(), "journal.jsonl"), "utf8"));
  const config = parseConfig(JSON.parse(world.read("relais.config.json")));
  if (config.kind === "invalid") throw new Error("the configuration of the test is none");
  expect(JSON.parse(world.read("relais/STATE.json"))).toEqual(foldWorkspaceState(lines, config.value.budgets));
}

/** No lock, no temporary file and no process of this world. */
export function checkNobodyIsLeft(world: World): void {
  expect(existsSync(join(world.root, "relais/lock.json"))).toBe(false);
  expect(existsSync(join(world.state(), "lock.json"))).toBe(false);
  expect(readdirSync(join(world.box, "tmp"))).toEqual([]);
  expect(processesOf(world.box)).toEqual([]);
}

/** The processes whose command line names this box. */
function processesOf(box: string): readonly string[] {
  return execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(box));
}
