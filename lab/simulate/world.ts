/** Lets a plan happen, and checks the invariants after every event and after every command. */
import { NOT_KEPT } from "../../src/evidence/pure/unkept-notes.ts";
import { disturbDisk } from "./bad-disk.ts";
import { isBad, LEFT_BEHIND, makeActors, nameBad, nameGood, type Sessions } from "./actors.ts";
import { PersonNeeded } from "./file-error.ts";
import { Host, type Running } from "./host.ts";
import {
  demandAbsent,
  digestWorld,
  findState,
  isFindable,
  isKept,
  JournalWatch,
  look,
  readBytes,
} from "./invariants.ts";
import { demandKeptFiles } from "./kept-files.ts";
import { Machine, type Process } from "./machine.ts";
import type { CommandName, Fault, Plan, Step } from "./plan.ts";
import { asPerson, commitFile, saveFile } from "./person.ts";
import { ENVIRONMENT, REPOSITORY } from "./repository.ts";
import { ARGUMENTS, NOTES_NAME, setUp } from "./set-up.ts";
import { Violation } from "./violation.ts";

const NO_SESSIONS: Sessions = { begin: () => {}, leave: () => {} };

/** Loaded once, and used by one world after the other. */
export class Stage {
  readonly hosts: readonly Host[];
  step: Step | null = null;
  sessions: Sessions = NO_SESSIONS;

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
  /** Those that came to their session. */
  readonly ticks: number;
  /** Those that were refused or stopped before. */
  readonly refused: number;
  /** How its ticks ended. */
  readonly codes: readonly string[];
  readonly calls: number;
  readonly events: number;
  readonly violation: Error | null;
  /** Of the plan's steps, as far as it came. */
  readonly steps: readonly StepEnd[];
  /** Why the world ended before its plan; null where it did not. */
  readonly early: string | null;
}

export interface StepEnd {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  /** How many calls of relais and its git changed something. */
  readonly changes: number;
  /** The first one that a bad disk refused. */
  readonly refused: string | null;
}

const NOTES = `${REPOSITORY}/${NOTES_NAME}`;
/** Hours of the simulated clock: everything ends long before. */
const WAIT_US_MAX = 6 * 3600 * 1_000_000;
const KNOWN_STATUSES: readonly (number | null)[] = [0, 10, 11, 12, 13, 14];
const RECOVERIES_MAX = 8;
const SECOND_MS = 20;
const MINUTE_US = 60_000_000;

export async function simulate(stage: Stage, plan: Plan, tell: ((line: string) => void) | null): Promise<WorldEnd> {
  const world = new World(stage, plan, tell);
  try {
    await world.run();
    return world.end(null);
  } catch (error) {
    if (error instanceof PersonNeeded) return world.end(null, error.name);
    return world.end(error instanceof Error ? error : new Error(String(error)));
  }
}

class World {
  readonly #stage: Stage;
  readonly #plan: Plan;
  readonly #machine: Machine;
  readonly #journal: JournalWatch;
  readonly #tell: ((line: string) => void) | null;
  /** What a person wrote, the last text first. */
  #notes: readonly string[] = ["mine\n"];
  /** What may be in the repository. */
  readonly #bad: string[] = [];
  #isPowerCut = false;
  /** Sessions of builders so far. */
  #builders = 0;
  /** The file that the last builder changed, as it left it; null where nobody must keep it. */
  #work: string | null = null;
  #events = 0;
  readonly #steps: StepEnd[] = [];
  /** How many changes were kept when this step began. */
  #keptBefore = 0;
  /** A person gave up an undo, with whatever it left. */
  #isHalfUndone = false;
  /** The step of each tick. */
  readonly #begunIn = new Map<string, Step>();
  /** What the commands of this step said. */
  #said = "";

  constructor(stage: Stage, plan: Plan, tell: ((line: string) => void) | null) {
    this.#stage = stage;
    this.#plan = plan;
    this.#tell = tell;
    this.#machine = new Machine(plan.seed);
    this.#machine.tell = tell;
    this.#journal = new JournalWatch(this.#machine.disk, plan.budget);
    stage.sessions = { begin: () => this.#beginSession(), leave: (text) => void (this.#work = text) };
    for (const host of stage.hosts) host.moveTo(this.#machine);
    setUp(this.#machine, { ...plan, notes: this.#notes[0] ?? "" });
    this.#machine.disk.isLying = plan.isLying;
  }

  end(violation: Error | null, early: string | null = null): WorldEnd {
    return {
      early,
      ticks: this.#journal.built.size,
      refused: this.#journal.begun.size - this.#journal.built.size,
      codes: this.#journal.codes,
      calls: this.#machine.calls,
      events: this.#events,
      violation,
      steps: this.#steps,
    };
  }

  async run(): Promise<void> {
    for (const step of this.#plan.steps) {
      this.#stage.step = step;
      this.#bad.push(nameBad(step));
      if (isBad(step)) this.#bad.push(nameGood(step));
      this.#tell?.(`step ${JSON.stringify(step)}`);
      this.#work = null;
      this.#said = "";
      if (step.isLater === true) this.#machine.nowUs += MINUTE_US;
      if (step.command === "run" && this.#notes.length > 1 && !this.#isDeceived) this.#commitNotes();
      await this.#perform(step);
      await this.#settleDown(step);
    }
  }

  /** Nobody works for relais before the journal is on the disk, and never more often than the budget says. */
  #beginSession(): void {
    this.#builders += 1;
    // A lost journal takes the sessions that it counted with it.
    if (this.#builders > this.#plan.budget && !this.#isDeceived)
      throw new Violation(`${this.#builders} sessions were started, the budget is ${this.#plan.budget}`);
    this.#look();
    this.#journal.demandSafe();
  }

  /** The disk lied about its syncs and lost power: anything may be missing. */
  get #isDeceived(): boolean {
    return this.#plan.isLying && this.#isPowerCut;
  }

  /** After every event. */
  #look(): void {
    for (const { event } of this.#journal.look(this.#machine.current)) {
      if ((event.type === "settled" || event.type === "undone") && !this.#isDeceived)
        demandAbsent(this.#machine.disk, this.#bad);
      if (event.type === "build_ended") this.#demandNoStrays([LEFT_BEHIND, "/usr/bin/agent"]);
    }
  }

  async #perform(step: Step): Promise<void> {
    const running = this.#start(step.command, 0);
    // A fault may start others.
    const all = [running];
    this.#arm(running, step.faults, all);
    const disk = disturbDisk(this.#machine, step.faults);
    await this.#untilOver(all);
    this.#machine.meanwhile = null;
    this.#machine.refuse = null;
    this.#machine.disk.free = Number.POSITIVE_INFINITY;
    const { status, out, err } = running;
    this.#steps.push({ status, out, err, ...disk });
    for (const one of all) this.#judgeEnd(one);
    if (step.mustSucceed === true && status !== 0) throw new Violation(`it does not work afterwards: ${out}${err}`);
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
    const waiting = new Set(faults.filter(({ kind }) => kind !== "kill" && kind !== "disk"));
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
        this.#writeNotes();
        return fault.commits === true ? this.#commitNotes() : undefined;
      case "beside":
        if (this.#stage.hosts[1]?.isFree === true) others.push(this.#start(fault.command, 1));
        return undefined;
      case "kill":
      case "disk":
        return undefined;
    }
  }

  #cutPower(): void {
    this.#machine.cutPower();
    this.#isPowerCut = true;
    this.#journal.allowLoss();
  }

  #writeNotes(): void {
    if (this.#machine.disk.free !== Number.POSITIVE_INFINITY) return;
    const text = `${this.#notes[0] ?? ""}mine ${this.#machine.nowUs}\n`;
    this.#notes = [text, ...this.#notes];
    asPerson(this.#machine, (files) => saveFile(files, NOTES, text));
  }

  /** A tick refuses to begin while there is work that is not committed. */
  #commitNotes(): void {
    // Git refuses an index that a lying disk has lost.
    if (this.#isDeceived) return;
    if (this.#machine.disk.free !== Number.POSITIVE_INFINITY) return;
    asPerson(this.#machine, (files) => {
      if (commitFile(files, NOTES_NAME, this.#machine.nowUs)) this.#tell?.("a person commits");
    });
  }

  async #untilOver(all: readonly Running[]): Promise<void> {
    const until = this.#machine.nowUs + WAIT_US_MAX;
    while (all.some(({ process }) => !process.isOver)) {
      if (!(await this.#machine.step())) throw new Violation("a command waits for nothing");
      this.#events += 1;
      if (this.#machine.nowUs > until) throw new Violation("a command does not end");
      this.#look();
    }
    // What a killed process still had to do never happens; the loaded relais is free for the next one.
    await new Promise((resolve) => setImmediate(resolve));
  }

  #judgeEnd({ process, status, failure, err, out }: Running): void {
    this.#tell?.(`ended ${process.argv[2]} ${status} ${out}${err}`);
    this.#said += `${out}${err}`;
    if (failure !== null && failure !== undefined)
      throw new Violation(`${process.argv[2]} failed: ${describe(failure)}`);
    if (status !== null && !KNOWN_STATUSES.includes(status))
      throw new Violation(`${process.argv[2]} ended with status ${status}: ${err}${out}`);
  }

  /** After whatever happened, `relais recover` makes it good, and again changes nothing. */
  async #settleDown(step: Step): Promise<void> {
    if (step.faults.length > 0) await this.#recover();
    this.#demandNoStrays(null);
    if (this.#isDeceived) return;
    this.#look();
    demandAbsent(this.#machine.disk, this.#bad);
    this.#demandNotes();
    this.#demandWork(step);
    await this.#finishUndo(step);
    this.#demandKept(step);
  }

  /** An undo that was stopped halfway is finished by another one, once nobody's edits are in its way. */
  async #finishUndo({ command, faults }: Step): Promise<void> {
    const isDisturbed = faults.length > 0 && this.#steps.at(-1)?.status !== 0;
    const isBeside = faults.some((fault) => fault.kind === "beside" && fault.command === "undo");
    if (!isBeside && !(command === "undo" && isDisturbed)) return;
    const kept = this.#journal.listKept()?.length ?? 0;
    if (kept < this.#keptBefore || this.#keptBefore === 0) return;
    // A git that is killed leaves it as well, and says that a person has to remove it.
    asPerson(this.#machine, (files) => files.rmSync(`${REPOSITORY}/.git/index.lock`, { force: true }));
    const running = this.#start("undo", 0);
    await this.#untilOver([running]);
    this.#judgeEnd(running);
    // The commit of an accept that a power cut took from the journal: nothing was undone.
    if (running.out.includes('"head_moved"')) return;
    this.#isHalfUndone = running.status !== 0;
    if (this.#isHalfUndone && this.#notes.length === 1)
      throw new Violation(`an undo cannot be finished: ${running.out}${running.err}`);
  }

  /** Ticks that were not known before this step began in it. */
  #demandKept(step: Step): void {
    for (const runId of this.#journal.begun) if (!this.#begunIn.has(runId)) this.#begunIn.set(runId, step);
    const kept = this.#journal.listKept();
    this.#keptBefore = kept?.length ?? 0;
    if (kept === null || this.#isHalfUndone) return;
    const steps = kept.flatMap((runId) => this.#begunIn.get(runId) ?? []);
    demandKeptFiles(this.#machine.disk, steps);
  }

  async #recover(): Promise<void> {
    let command: CommandName = "recover";
    let said = "";
    for (let times = 0; times < RECOVERIES_MAX; times += 1) {
      const before = digestWorld(this.#machine.disk);
      const running = this.#start(command, 0);
      await this.#untilOver([running]);
      this.#judgeEnd(running);
      if (running.status === 0 && digestWorld(this.#machine.disk) === before) return;
      this.#demandRollback(running);
      command = running.status === 0 ? "recover" : this.#decide(running);
      said = running.status === 0 ? "" : `${running.out}${running.err}`;
    }
    if (this.#isDeceived) throw new PersonNeeded("the disk lied");
    throw new Violation(said === "" ? "each recovery changes something" : `nothing can be recovered: ${said}`);
  }

  /** Nothing disturbs a recovery here: whatever failed before, its own rollback succeeds. */
  #demandRollback({ out }: Running): void {
    if (this.#isDeceived || this.#isLost(out) || !out.includes('"BLOCKED_ROLLBACK_FAILED"')) return;
    throw new Violation(`a recovery cannot put back what nobody holds: ${out}`);
  }

  /** A person reads what it says, and agrees, or tries it once more. */
  #decide({ out }: Running): CommandName {
    if (out.includes('"unproven_rollback"')) return "agree";
    // It asks where somebody worked meanwhile, although no session had begun.
    return this.#isLost(out) && this.#notes.length > 1 ? "abandon" : "recover";
  }

  #isLost(out: string): boolean {
    return this.#isPowerCut && out.includes("the observation from before the build is lost");
  }

  #demandNoStrays(names: readonly string[] | null): void {
    const left = [...this.#machine.processes.values()].filter(({ argv: [name = ""] }) =>
      names === null ? name !== "setup" : names.includes(name),
    );
    if (left.length > 0) throw new Violation(`still running: ${left.map(({ argv }) => argv.join(" ")).join(", ")}`);
  }

  /** In the working tree, or kept with what a rollback removed: in place, a tick takes every edit for its own. */
  #demandNotes(): void {
    const found = readBytes(look(this.#machine.disk, NOTES)).toString("utf8");
    const at = this.#notes.indexOf(found);
    const state = findState(this.#machine.disk);
    const [last = ""] = this.#notes;
    if (at === -1 || (at > 0 && (state === null || !isKept(state, last))))
      throw new Violation(`what a person wrote is lost: ${last} (found ${found})`);
    this.#notes = this.#notes.slice(at);
  }

  /** The work of a session is in the worktree or in salvage. A full disk and a power cut may take what was never safe. */
  #demandWork({ faults }: Step): void {
    if (this.#work === null || faults.some(({ kind }) => kind === "full" || kind === "power")) return;
    if (faults.some(({ kind }) => kind === "disk") && this.#said.includes(`${NOT_KEPT}the work`)) return;
    const found = readBytes(look(this.#machine.disk, `${REPOSITORY}/src/a.txt`)).toString("utf8");
    const state = findState(this.#machine.disk);
    if (found !== this.#work && (state === null || !isFindable(state, this.#work)))
      throw new Violation(`the work of a session is lost: ${this.#work}`);
  }
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
