/** Lets a plan happen, and checks the invariants after every event and after every command. */
import { isBad, makeActors, nameBad, nameGood, type Sessions } from "./actors.ts";
import { NotSimulated, PersonNeeded } from "./file-error.ts";
import { Host, type Running } from "./host.ts";
import {
  demandAbsent,
  digestWorld,
  findState,
  isKept,
  JournalWatch,
  look,
  readBytes,
  Violation,
} from "./invariants.ts";
import { Machine, type Process } from "./machine.ts";
import type { CommandName, Fault, Plan, Step } from "./plan.ts";
import { NodeFiles } from "./node-files.ts";
import { ENVIRONMENT, makeRepository, makeSystem, REPOSITORY } from "./repository.ts";

/** Loaded once, and used by one world after the other. */
export class Stage {
  readonly hosts: readonly Host[];
  step: Step | null = null;
  sessions: Sessions = { builders: 0 };

  constructor(file: string) {
    const find = makeActors(
      () => this.#getStep(),
      () => this.sessions,
    );
    const machine = new Machine(0);
    this.hosts = [new Host(machine, file, { find }), new Host(machine, file, { find })];
  }

  #getStep(): Step {
    if (this.step === null) throw new Error("no step is going on");
    return this.step;
  }
}

export interface WorldEnd {
  readonly ticks: number;
  /** How its ticks ended. */
  readonly codes: readonly string[];
  readonly calls: number;
  readonly events: number;
  readonly violation: Error | null;
  /** Why the world ended before its plan; null where it did not. */
  readonly early: string | null;
}

const TASK_FILE = "/home/me/task.json";
const NOTES = `${REPOSITORY}/NOTES`;
/** Hours of the simulated clock: everything ends long before. */
const WAIT_US_MAX = 6 * 3600 * 1_000_000;
const KNOWN_STATUSES: readonly (number | null)[] = [0, 10, 11, 12, 13, 14];
const RECOVERIES_MAX = 4;
const SECOND_MS = 20;

export async function simulate(stage: Stage, plan: Plan, tell: ((line: string) => void) | null): Promise<WorldEnd> {
  const world = new World(stage, plan, tell);
  try {
    await world.run();
    return world.end(null);
  } catch (error) {
    if (error instanceof NotSimulated || error instanceof PersonNeeded) return world.end(null, error.name);
    return world.end(error instanceof Error ? error : new Error(String(error)));
  }
}

class World {
  readonly #stage: Stage;
  readonly #plan: Plan;
  readonly #machine: Machine;
  readonly #journal = new JournalWatch();
  readonly #tell: ((line: string) => void) | null;
  /** What a person wrote last. */
  #notes = "mine\n";
  /** What may be in the repository. */
  readonly #bad: string[] = [];
  #isPowerCut = false;
  #events = 0;

  constructor(stage: Stage, plan: Plan, tell: ((line: string) => void) | null) {
    this.#stage = stage;
    this.#plan = plan;
    this.#tell = tell;
    this.#machine = new Machine(plan.seed);
    this.#machine.tell = tell;
    stage.sessions = { builders: 0 };
    for (const host of stage.hosts) host.moveTo(this.#machine);
    this.#setUp();
    this.#machine.disk.isLying = plan.isLying;
  }

  end(violation: Error | null, early: string | null = null): WorldEnd {
    return {
      early,
      ticks: this.#journal.begun.size,
      codes: this.#journal.codes,
      calls: this.#machine.calls,
      events: this.#events,
      violation,
    };
  }

  #setUp(): void {
    const files = makeSystem(this.#machine);
    files.mkdirSync(REPOSITORY);
    makeRepository(files, {
      "src/a.txt": "one\ntwo\nthree\n",
      "src/b.txt": "b\n",
      README: "hello\n",
      NOTES: this.#notes,
      "relais.config.json": `${JSON.stringify(makeConfig(this.#plan), null, 1)}\n`,
    });
    files.writeFileSync(TASK_FILE, JSON.stringify(TASK));
    this.#machine.disk.settle();
  }

  async run(): Promise<void> {
    for (const step of this.#plan.steps) {
      this.#stage.step = step;
      this.#bad.push(nameBad(step));
      if (isBad(step)) this.#bad.push(nameGood(step));
      this.#tell?.(`step ${JSON.stringify(step)}`);
      await this.#perform(step);
      await this.#settleDown(step);
    }
  }

  async #perform(step: Step): Promise<void> {
    const running = this.#start(step.command, 0);
    // A fault may start others.
    const all = [running];
    this.#arm(running, step.faults, all);
    await this.#untilOver(all);
    this.#machine.meanwhile = null;
    this.#machine.disk.free = Number.POSITIVE_INFINITY;
    for (const one of all) this.#judgeEnd(one);
  }

  #start(command: CommandName, host: number): Running {
    const free = this.#stage.hosts[host];
    if (free === undefined) throw new Error("there is no such relais");
    return free.start(ARGUMENTS[command], { cwd: REPOSITORY, env: ENVIRONMENT });
  }

  /** Faults happen between two calls of the command's process. */
  #arm(running: Running, faults: readonly Fault[], others: Running[]): void {
    const { process } = running;
    for (const fault of faults) if (fault.kind === "kill") process.killAt = Math.min(process.killAt, fault.at + 1);
    const waiting = new Set(faults.filter(({ kind }) => kind !== "kill"));
    this.#machine.meanwhile = (caller) => {
      if (caller !== process) return;
      for (const fault of waiting) {
        if (fault.at > process.calls) continue;
        waiting.delete(fault);
        this.#let(fault, process, others);
      }
    };
  }

  #let(fault: Fault, process: Process, others: Running[]): void {
    const machine = this.#machine;
    machine.tell?.(`fault ${JSON.stringify(fault)}`);
    switch (fault.kind) {
      case "signal":
        return machine.signal(process.pid, fault.signal);
      case "power":
        return this.#cutPower();
      case "full":
        machine.disk.free = machine.random.below(3000);
        machine.after(fault.calls * SECOND_MS, null, () => void (machine.disk.free = Number.POSITIVE_INFINITY));
        return undefined;
      case "person":
        return this.#writeNotes();
      case "beside":
        if (this.#stage.hosts[1]?.isFree === true) others.push(this.#start(fault.command, 1));
        return undefined;
      case "kill":
        return undefined;
    }
  }

  #cutPower(): void {
    this.#machine.cutPower();
    this.#isPowerCut = true;
    this.#journal.allowLoss();
  }

  #writeNotes(): void {
    const person = this.#machine.start({ argv: ["editor"], env: {}, cwd: REPOSITORY, parent: null });
    const files = new NodeFiles(
      () => person.files,
      () => "person",
    );
    const { meanwhile, disk } = this.#machine;
    if (disk.free !== Number.POSITIVE_INFINITY) return this.#machine.end(person, { status: 1, signal: null });
    this.#notes += `mine ${this.#machine.nowUs}\n`;
    this.#machine.meanwhile = null;
    files.writeFileSync(NOTES, this.#notes);
    this.#machine.meanwhile = meanwhile;
    return this.#machine.end(person, { status: 0, signal: null });
  }

  async #untilOver(all: readonly Running[]): Promise<void> {
    const until = this.#machine.nowUs + WAIT_US_MAX;
    while (all.some(({ process }) => !process.isOver)) {
      if (!(await this.#machine.step())) throw new Violation("a command waits for nothing");
      this.#events += 1;
      if (this.#machine.nowUs > until) throw new Violation("a command does not end");
      this.#journal.look(this.#machine.disk);
    }
    // What a killed process still had to do never happens; the loaded relais is free for the next one.
    await new Promise((resolve) => setImmediate(resolve));
  }

  #judgeEnd({ process, status, failure, err, out }: Running): void {
    this.#tell?.(`ended ${process.argv[2]} ${status} ${out}${err}`);
    if (failure !== null && failure !== undefined)
      throw new Violation(`${process.argv[2]} failed: ${describe(failure)}`);
    if (status !== null && !KNOWN_STATUSES.includes(status))
      throw new Violation(`${process.argv[2]} ended with status ${status}: ${err}${out}`);
  }

  /** After whatever happened, `relais recover` makes it good, and again changes nothing. */
  async #settleDown(step: Step): Promise<void> {
    await this.#recover();
    this.#demandNoStrays();
    if (this.#plan.isLying && this.#isPowerCut) return;
    this.#journal.look(this.#machine.disk);
    // A rollback of the working tree is not synced: a power cut may bring the change back, and the next tick refuses it.
    if (!this.#isPowerCut) demandAbsent(this.#machine.disk, this.#bad);
    this.#demandNotes(step);
    if (this.#stage.sessions.builders > this.#plan.budget)
      throw new Violation(`${this.#stage.sessions.builders} sessions were started, the budget is ${this.#plan.budget}`);
  }

  async #recover(): Promise<void> {
    for (let times = 0; times < RECOVERIES_MAX; times += 1) {
      const before = digestWorld(this.#machine.disk);
      const running = this.#start("recover", 0);
      await this.#untilOver([running]);
      this.#judgeEnd(running);
      if (running.status === 0 && digestWorld(this.#machine.disk) === before) return;
      this.#demandPerson(running);
      if (running.status !== 0 && times === RECOVERIES_MAX - 1 && !(this.#plan.isLying && this.#isPowerCut))
        throw new Violation(`nothing can be recovered: ${running.out}${running.err}`);
    }
    if (!(this.#plan.isLying && this.#isPowerCut)) throw new Violation("each recovery changes something");
  }

  /** It asks a person instead of guessing: where the builder was killed after it changed git's data, and after a power cut. */
  #demandPerson({ out }: Running): void {
    if (out.includes('"unproven_rollback"')) throw new PersonNeeded("unproven_rollback");
    if (this.#isPowerCut && out.includes("the observation from before the build is lost"))
      throw new PersonNeeded("observation_lost");
  }

  #demandNoStrays(): void {
    const left = [...this.#machine.processes.values()].filter(({ argv }) => argv[0] !== "setup");
    if (left.length > 0) throw new Violation(`still running: ${left.map(({ argv }) => argv.join(" ")).join(", ")}`);
  }

  /** In the working tree, or kept with what a rollback removed. In place, a tick takes every edit for its own. */
  #demandNotes(step: Step): void {
    const found = readBytes(look(this.#machine.disk, NOTES)).toString("utf8");
    if (found === this.#notes || this.#isPowerCut) return;
    const state = findState(this.#machine.disk);
    if (step.command !== "run" && (state === null || !isKept(state, this.#notes)))
      throw new Violation(`what a person wrote is lost: ${found}`);
    this.#notes = found;
  }
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const ARGUMENTS: Readonly<Record<CommandName, readonly string[]>> = {
  run: ["run", "--task", TASK_FILE, "--json"],
  accept: ["accept", "--json"],
  undo: ["undo", "--json"],
  recover: ["recover", "--json"],
  status: ["status", "--json"],
  prune: ["history", "prune", "--keep", "1", "--json"],
};

const TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "Write a line.",
  scope: { allowed_globs: ["src/**"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false },
  diff_limits: { max_files_touched: 5, max_lines_changed: 100 },
  verification: { fast: ["ok"], slow: [] },
  builder: { mode: "command", max_turns: 1, instructions: "Write a line." },
} as const;

function makeConfig({ commits, budget }: Plan): object {
  return {
    builder: { default_mode: "command", command: { command: "/usr/bin/agent", args: [], timeout_seconds: 60 } },
    scope: { default_allowed_globs: ["src/**"] },
    sandbox: "off",
    isolation: "in_place",
    git: { commit: commits ? "always" : "never" },
    budgets: { per_milestone: { max_builder_calls: budget } },
    verification: { templates: [{ id: "ok", cmd: "/usr/bin/check", args: [] }] },
  };
}
