/** What happens between two operations: a process dies, the disk fills, a person or a second relais acts. */
import type { Fault } from "./plan.ts";
import { type Answer, answerQuestion, decideLast, runCommand } from "./commands.ts";
import type { SimulatedProcess, World } from "./world.ts";

interface Moment {
  readonly by: SimulatedProcess;
  readonly runAlone: (work: (process: SimulatedProcess) => Promise<Answer>) => Promise<Answer>;
}

const LATE_MS = 600_000;

export async function befall(world: World, { kind }: Fault, { by, runAlone }: Moment): Promise<void> {
  switch (kind) {
    case "kill":
      return by.kill();
    case "power":
      for (const process of world.processes.values()) process.kill();
      if (!world.plan.isLying) world.files.cutPower(() => world.random.below(2) === 0);
      world.held = null;
      return world.journal.cutPower();
    case "signal":
      by.signalledAt ??= world.watch.events;
      return by.controller.abort(world.pick(["SIGINT", "SIGTERM", "SIGHUP"]));
    case "full":
      world.isFull = !world.isFull;
      return undefined;
    case "late":
      return world.advance(LATE_MS);
    case "pause":
      world.pauseFor = world.held?.process.pid ?? null;
      return undefined;
    case "edit":
      return edit(world);
    case "commit":
      return commit(world);
    case "beside":
      return void (await runAlone((process) => runCommand(world, process)));
    case "accept":
    case "undo":
      return void (await runAlone((process) => decideLast(world, process, kind)));
    case "answer":
      return void (await runAlone((process) => answerQuestion(process)));
    default:
      return kind satisfies never;
  }
}

function edit(world: World): void {
  const model = world.repository;
  const path = world.pick(["src/a.ts", "src/mine.ts", "notes.md"]);
  const text = `person ${world.makeName()}`;
  world.watch.change.giveUp(model.files.get(path));
  model.files.set(path, text);
  world.watch.change.edits.set(path, text);
}

/** A person writes a file and commits nothing else. */
function commit(world: World): void {
  const model = world.repository;
  const text = `person ${world.makeName()}`;
  const path = `mine/${world.makeName()}.md`;
  model.files.set(path, text);
  model.commit("person", new Map([...model.committed(), [path, text]]));
  world.watch.change.edits.set(path, text);
}
