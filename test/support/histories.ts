/** Histories of every workflow, made by real ticks: what a test reads, folds or judges again. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { JournalLine } from "../../src/records/event.ts";
import { inCampaignWorld } from "./campaign-world.ts";
import { inGoalWorld } from "./goal-world.ts";
import { goodStep, inLoopWorld, RED, STOP } from "./loop-world.ts";
import { runInProcess } from "./in-process.ts";
import type { Ran } from "./relais.ts";
import { gitEnvironment } from "./repositories.ts";
import { inWorld } from "./scenario.ts";
import { GOOD_EDIT, RESULT, taskOf } from "./scenario-documents.ts";
import type { World } from "./scenario-world.ts";
import { treeWorld, write } from "./tree-world.ts";

export interface History {
  readonly box: string;
  readonly root: string;
  /** The journal in the state directory. */
  readonly journal: string;
  readonly relais: (...args: string[]) => Promise<Ran>;
}

type MakeHistory = (work: (history: History) => Promise<void>) => Promise<void>;

const of = ({ box, root, state, relais }: World): History => ({
  box,
  root,
  journal: join(state(), "journal.jsonl"),
  relais: (...args) => relais(args),
});

const edit = (note: string) => ({ ...GOOD_EDIT, text: `export const answer = 42; // ${note}\n` });

/** Single ticks: kept and committed by a person, taken back, refused by a gate, red, and one that asks. */
async function playRelay(world: World): Promise<void> {
  const run = (steps: readonly object[]) => {
    writeFileSync(join(world.box, "task.json"), JSON.stringify(taskOf({ steps })));
    return world.run();
  };
  await run([edit("first")]);
  await world.relais(["accept"]);
  await run([edit("second")]);
  await world.relais(["undo"]);
  await run([{ do: "write", path: "README.md", text: "# Not yours\n" }]);
  await run([RED]);
  await run([{ do: "exit", status: 3 }]);
}

function reviewed(word: "approve" | "refuse") {
  const content = { decision: word, explanation: "Looked.", reasons: ["src/main.ts:1"] };
  const script = {
    steps: [edit(word), { do: "result", content: RESULT }],
    reviewers: { risk: [{ do: "result", content }] },
  };
  return taskOf({ task: { builder: { instructions: JSON.stringify(script) } } });
}

/** The lock names the process that holds it. */
const KILL = `kill -9 "$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' relais/lock.json | head -n 1)"\n`;

const MAKERS: Readonly<Record<string, MakeHistory>> = {
  relay: (work) =>
    inWorld({}, async (world) => {
      await playRelay(world);
      await work(of(world));
    }),
  committed: (work) =>
    inWorld({ config: { git: { commit: "always" }, review: { reviewers: ["risk"] } } }, async (world) => {
      world.git("checkout", "-qb", "topic");
      for (const word of ["approve", "refuse"] as const) {
        writeFileSync(join(world.box, "task.json"), JSON.stringify(reviewed(word)));
        await world.run();
      }
      await world.relais(["history", "prune", "--keep", "1"]);
      await work(of(world));
    }),
  loop: (work) =>
    inLoopWorld({ plans: [goodStep(), "echo no task", goodStep(), STOP] }, async (world) => {
      await world.loop(["--max-ticks", "1"]);
      await world.loop();
      await work(of(world));
    }),
  goal: (work) =>
    inGoalWorld(
      { reviewers: '*) if [ "$turn" = 2 ]; then vote complete; else vote incomplete; fi ;;' },
      async (goals) => {
        await goals.goal("Two lines");
        await work(of(goals.world));
      },
    ),
  tree: async (work) => {
    const world = treeWorld({ turns: [`${write("src/x.ts", "right")}\nresult done`, "result done"] });
    await world.iterate("run");
    const { box, root } = world;
    const states = join(box, "state/relais");
    const [state = ""] = readdirSync(states);
    const env = { ...gitEnvironment(box), XDG_STATE_HOME: join(box, "state") };
    const relais: History["relais"] = (...args) => runInProcess(args, { cwd: root, env });
    await work({ box, root, relais, journal: join(states, state, "journal.jsonl") });
  },
  campaign: (work) =>
    inCampaignWorld({}, async (campaigns) => {
      await campaigns.campaign("run", "lines");
      await work(of(campaigns.world));
    }),
  interrupted: (work) =>
    inWorld({ ownProcess: true, program: KILL }, async (world) => {
      await world.run();
      await work(of(world));
    }),
};

export const HISTORIES: readonly string[] = Object.keys(MAKERS);

/** Makes a history, does something with it, and removes it. */
export const inHistory = (name: string, work: (history: History) => Promise<void>): Promise<void> =>
  MAKERS[name]?.(work) ?? Promise.reject(new Error(`there is no history ${name}`));

const journals = new Map<string, Promise<string>>();

/** The journal of a history, which is made once. */
export function journalOfHistory(name: string): Promise<string> {
  const known = journals.get(name) ?? readJournalOf(name);
  journals.set(name, known);
  return known;
}

async function readJournalOf(name: string): Promise<string> {
  let text = "";
  await inHistory(name, async ({ journal }) => void (text = readFileSync(journal, "utf8")));
  return text;
}

export async function linesOfHistory(name: string): Promise<readonly JournalLine[]> {
  const text = await journalOfHistory(name);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => v.parse(JournalLine, JSON.parse(line)));
}
