/**
 * A queue, two or three workers and one or two jobs, without a clock. The engine's own operations run on both of its logs:
 * real files, and a double of the server. Whatever an operation asks of its log waits until the schedule picks it, and
 * inside the decision of one process others may act, as the system may switch there.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openOwnWorker } from "../../../../src/queue/own-worker.ts";
import { watchWorkers } from "../../../../src/queue/open-engine.ts";
import { submitJob } from "../../../../src/queue/submit-job.ts";
import { openQueueLog } from "../../../../src/queue/queue-log.ts";
import { openNatsLog } from "../../../../src/fleet/nats-log.ts";
import type { EngineParts } from "../../../../src/queue/engine-parts.ts";
import type { Beats, QueueLog } from "../../../../src/queue/engine-ports.ts";
import { checkPromises, checkRecords, pickRecords } from "../check-records.ts";
import type { Promised } from "../queue-world.ts";
import { Violation } from "../../violation.ts";
import { beginAgain } from "./crypto-double.ts";
import { StreamDouble } from "./jetstream-double.ts";
import type { Choose, ScheduleSize } from "./schedule-size.ts";
import { openBeats, openStore } from "./schedule-parts.ts";
import { JOB, LEASE_MS, NAMES, RESULT, SPENT, TERMS } from "./schedule-values.ts";

interface Task {
  readonly process: string;
  readonly what: string;
  readonly perform: () => void;
  /** The answer is lost; null where nothing can be. */
  readonly lose: ((isDone: boolean) => void) | null;
}

interface Move {
  readonly what: string;
  readonly happen: () => void;
}

interface Actor {
  readonly name: string;
  readonly epoch: number;
  beat: number;
  isOver: boolean;
  /** What it asked, and how long the log was then: a process does the same whenever it has heard the same. */
  history: string;
}

const FOLDER = "/dev/shm";
/** So many turns of the loop of promises lead from one request of an operation to its next one. */
const TURNS = 40;
const QUIET_STEPS = 400;
/** What a process does without anybody else. */
const WAITS = "waits";
const NOW = "2026-01-15T00:00:00.000Z";

export class ScheduleWorld {
  readonly trace: string[] = [];
  readonly #size: ScheduleSize;
  readonly #choose: Choose;
  readonly #stream = new StreamDouble();
  readonly #folder: string;
  readonly #specs = new Map<string, string>();
  readonly #tasks: Task[] = [];
  readonly #actors = new Map<string, Actor>();
  readonly #promised: Promised[] = [];
  readonly #refused: Promised[] = [];
  readonly #closes: (() => unknown)[] = [];
  #failure: unknown = null;
  #steadyMs = 1_000_000;
  #wallMs = 0;
  #faults: number;
  #depth = 0;
  #steps = 0;
  #isQuiet = false;
  #checked = 0;
  /** Records of files, also those that came too late. */
  #appended = 0;

  constructor(size: ScheduleSize, choose: Choose) {
    this.#size = size;
    this.#choose = choose;
    this.#faults = size.faults;
    beginAgain();
    this.#folder = size.engine === "files" ? mkdtempSync(join(FOLDER, "relais-schedule-")) : "";
  }

  readonly countSteps = (): number => this.#steps;

  /** Throws a violation. */
  async run(): Promise<void> {
    const { jobs, workers, steps } = this.#size;
    this.#start("submitter", (parts) => this.#submit(parts, jobs));
    for (let at = 1; at <= workers; at += 1) this.#start(`worker-${at}`, (parts, actor) => this.#work(parts, actor));
    for (let at = 0; at < steps; at += 1) {
      await this.#settle();
      if (!this.#step()) break;
    }
    await this.#endQuietly();
    this.#check(true);
  }

  close(): void {
    for (const close of this.#closes) close();
    if (this.#folder !== "") rmSync(this.#folder, { recursive: true });
  }

  /** What the rest depends on: what each process has heard, what is on its way, and the log. */
  describe(): string {
    const actors = [...this.#actors.values()].map(
      ({ name, beat, isOver, history }) => `${name} ${beat} ${isOver} ${history}`,
    );
    const tasks = this.#tasks.map(({ process, what }) => `${process} ${what}`).toSorted();
    const late = this.#stream.listLate();
    const log = this.#texts().map((text) => text.slice(-20));
    return [this.#faults, this.#steadyMs, this.#wallMs, this.#depth, ...actors, ...tasks, ...late, ...log].join("\n");
  }

  #texts(): readonly string[] {
    if (this.#size.engine === "server") return this.#stream.texts;
    try {
      return readFileSync(join(this.#folder, "log-1"), "utf8")
        .split("\u001E")
        .filter((text) => text.endsWith("\n"));
    } catch {
      return [];
    }
  }

  /** What was told and what was written is looked at whenever there is more of it. */
  #check(isEnd: boolean): void {
    if (this.#failure !== null) throw this.#failure;
    const told = this.#promised.length + this.#refused.length;
    if (!isEnd && told === this.#checked) return;
    this.#checked = told;
    const records = pickRecords(this.#texts());
    checkPromises(records, this.#promised, this.#refused);
    const fold = checkRecords(records);
    const open = [...fold.keys.keys()].filter((job) => !fold.ended.has(job));
    if (isEnd && open.length > 0) throw new Violation(`lost: ${open.join(", ")} never came to an end`);
  }

  /** Nothing goes wrong any more: a last worker must bring every job to its end. */
  async #endQuietly(): Promise<void> {
    this.#isQuiet = true;
    this.#faults = 0;
    for (const actor of this.#actors.values()) if (actor.name !== "submitter") this.#kill(actor);
    for (let at = 0; at < QUIET_STEPS; at += 1) {
      await this.#settle();
      if (at === 0) this.#start("last", (parts, actor) => this.#work(parts, actor));
      if (at % 8 === 7) this.#steadyMs += LEASE_MS + 1;
      if (at % 4 === 0 && this.#isDone()) return;
      const task = this.#tasks.shift();
      if (task === undefined) for (const name of this.#stream.listLate()) this.#stream.deliver(name, false);
      else task.perform();
    }
  }

  #isDone(): boolean {
    const { ended, keys } = checkRecords(pickRecords(this.#texts()));
    return keys.size === this.#size.jobs && ended.size === keys.size;
  }

  /** Lets every operation come to its next request. */
  async #settle(): Promise<void> {
    for (let turn = 0, count = -1; turn < TURNS; turn += 1) {
      if (turn % 8 === 0 && count === this.#tasks.length && turn > 8) break;
      if (turn % 8 === 0) count = this.#tasks.length;
      await Promise.resolve();
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** One thing happens; false where nothing can. */
  #step(): boolean {
    const moves = this.#listMoves();
    const isFaulty = this.#faults > 0;
    if (moves.length === 0 && !isFaulty) return false;
    const at = this.#choose(moves.length + Number(isFaulty), () => this.describe());
    const { what, happen } = moves[at] ?? this.#pickFault();
    this.#steps += 1;
    this.trace.push(what);
    happen();
    this.#check(false);
    return true;
  }

  #listMoves(): readonly Move[] {
    const tasks = this.#tasks.map((task) => ({
      what: `${task.process}: ${task.what}`,
      happen: () => this.#take(task, task.perform),
    }));
    const late = this.#stream.listLate().map((name) => ({
      what: `${name} hears of a record`,
      happen: () => this.#tell(name, false),
    }));
    return [...tasks, ...late];
  }

  /** First the kind: there are more messages to lose than workers to kill. */
  #pickFault(): Move {
    const living = [...this.#actors.values()].filter(({ isOver, name }) => !isOver && name !== "submitter");
    const kinds = [
      this.#listLosses(),
      living.map(({ name }) => ({ what: `${name} hears of a record again`, happen: () => this.#tell(name, true) })),
      living.map((actor) => ({ what: `${actor.name} is killed`, happen: () => this.#kill(actor) })),
      living.map((actor) => ({
        what: `all but ${actor.name} are silent for longer than a lease`,
        happen: () => this.#expire(actor),
      })),
      [{ what: "the wall clocks jump back by an hour", happen: () => void (this.#wallMs -= 3_600_000) }],
    ].filter((moves) => moves.length > 0);
    const kind = kinds[this.#choose(kinds.length, () => `kinds ${this.describe()}`)] ?? [];
    const fault = kind[this.#choose(kind.length, () => `faults ${kind[0]?.what} ${this.describe()}`)];
    this.#faults -= 1;
    return fault ?? { what: "nothing", happen: () => {} };
  }

  #listLosses(): readonly Move[] {
    return this.#tasks.flatMap((task) => {
      const { lose, process, what } = task;
      if (lose === null) return [];
      return [false, true].map((isDone) => ({
        what: `${process}: ${what}, and ${isDone ? "its answer" : "it"} is lost`,
        happen: () => this.#take(task, () => lose(isDone)),
      }));
    });
  }

  #length(): number {
    return this.#size.engine === "server" ? this.#stream.texts.length : this.#appended;
  }

  #take(task: Task, happen: () => void): void {
    const at = this.#tasks.indexOf(task);
    if (at !== -1) this.#tasks.splice(at, 1);
    happen();
  }

  #tell(name: string, again: boolean): void {
    const actor = this.#actors.get(name);
    if (actor !== undefined) actor.history += `hears ${again} ${this.#length()};`;
    this.#stream.deliver(name, again);
  }

  #expire(own: Actor): void {
    this.#steadyMs += LEASE_MS + 1;
    own.beat += 1;
  }

  #kill(actor: Actor): void {
    actor.isOver = true;
    for (const task of this.#tasks.filter(({ process }) => process === actor.name)) this.#take(task, () => {});
  }

  /** Waits for its turn; a process that is over waits for ever. */
  #ask<T>(actor: Actor, what: string, work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (actor.isOver) return;
      const note = (end: string): void => {
        actor.history += `${what} ${this.#length()} ${this.#steadyMs} ${end};`;
      };
      const answer = (): void => {
        note("");
        try {
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const lose = (isDone: boolean): void => {
        note(isDone ? "unheard" : "lost");
        try {
          if (isDone) work();
        } catch {
          // Nobody hears of it.
        }
        reject(new Error("timeout"));
      };
      const canBeLost = this.#size.engine === "server" && what !== WAITS && !this.#isQuiet;
      this.#tasks.push({ process: actor.name, what, perform: answer, lose: canBeLost ? lose : null });
    });
  }

  #start(name: string, act: (parts: EngineParts, actor: Actor) => Promise<void>): void {
    const actor: Actor = { name, epoch: this.#actors.size + 1, beat: 0, isOver: false, history: "" };
    this.#actors.set(name, actor);
    const run = async (): Promise<void> => {
      try {
        await act(await this.#open(actor), actor);
      } catch (error) {
        // A server that does not answer: the command fails and says so. Everything else is a mistake.
        if (!(error instanceof Error && error.name === "QueueError") && !actor.isOver) this.#failure ??= error;
      }
      actor.isOver = true;
    };
    void run();
  }

  async #open(actor: Actor): Promise<EngineParts> {
    const now = (): string => (this.#wallMs === 0 ? NOW : new Date(Date.parse(NOW) + this.#wallMs).toISOString());
    const log = await (this.#size.engine === "files" ? this.#openFiles(actor, now) : this.#openServer(actor, now));
    const identity = {
      pid: actor.epoch,
      processStart: "1",
      bootId: `boot-${actor.name}`,
      host: `h-${actor.name}`,
      pidNamespace: null,
    };
    const changes = { listen: () => () => {}, close: () => {} };
    const clocks = { readClockMs: () => this.#wallMs, readSteadyMs: () => this.#steadyMs, findDue: () => null };
    return { ...clocks, now, log, identity, changes, store: openStore(this.#specs), beats: this.#openBeats(actor) };
  }

  /** The real log on real files. Others may write between the look of a process at the log and its own record. */
  async #openFiles(actor: Actor, now: () => string): Promise<QueueLog> {
    const files = openQueueLog({
      folder: this.#folder,
      now,
      onRecords: () => {},
      logBytesMax: Number.MAX_SAFE_INTEGER,
    });
    this.#closes.push(() => files.close());
    return {
      known: () => files.refresh(),
      refresh: () => this.#ask(actor, "looks at the log", () => files.refresh()),
      record: (decide) =>
        this.#ask(actor, "decides and writes", () =>
          files.record((state) => {
            const event = decide(state);
            if (event !== null) this.#switchTo(actor);
            if (event !== null) this.#appended += 1;
            return event;
          }),
        ),
      sync: async () => {},
      close: async () => {},
    };
  }

  /** Between a decision and its record, another process may do one thing. */
  #switchTo(actor: Actor): void {
    if (this.#isQuiet || this.#depth > 0) return;
    const others = this.#tasks.filter(({ process }) => process !== actor.name);
    const at = this.#choose(others.length + 1, () => `in ${actor.name}\n${this.describe()}`);
    const task = others[at - 1];
    if (task === undefined) return;
    this.#depth += 1;
    this.trace.push(`  before it writes, ${task.process}: ${task.what}`);
    this.#take(task, task.perform);
    this.#depth -= 1;
  }

  #openServer(actor: Actor, now: () => string): Promise<QueueLog> {
    const connection = this.#stream.connect(actor.name, (what, work) => this.#ask(actor, what, work));
    // The real type has hundreds of members that nobody asks for.
    return openNatsLog({
      connection: Object(connection),
      names: NAMES,
      timeoutMs: 5000,
      now,
      onRecords: () => {},
      cut: null,
    });
  }

  /** How long others have seen the same beat of a worker counts the real way. */
  #openBeats(own: Actor): Beats {
    const findBeat = (id: string): number | null => this.#actors.get(id)?.beat ?? null;
    return openBeats(own, findBeat, () => this.#steadyMs);
  }

  async #submit(parts: EngineParts, jobs: number): Promise<void> {
    for (let at = 1; at <= jobs; at += 1) {
      const job = await submitJob(parts, JOB, TERMS, `job-${at}`);
      this.#promised.push({ kind: "submitted", job, token: null });
    }
  }

  async #work(parts: EngineParts, actor: Actor): Promise<void> {
    const own = openOwnWorker(parts, actor.name);
    const watch = watchWorkers(parts);
    for (;;) {
      await watch.recordLosses();
      const claim = await own.claim({ labels: [], leaseMs: LEASE_MS });
      if (actor.isOver) return;
      if (claim === null) await this.#ask(actor, WAITS, () => null);
      else {
        const { job } = claim;
        const token = Number(claim.token);
        const note = (kind: Promised["kind"], answer: "recorded" | "fenced"): boolean => {
          (answer === "recorded" ? this.#promised : this.#refused).push({ kind, job, token });
          return answer === "recorded";
        };
        this.#promised.push({ kind: "claimed", job, token });
        const process = { pid: actor.epoch, birth: "1", boot: "b" };
        if (note("started", await claim.started(process)) && note("spent", await claim.spend(SPENT)))
          note("finished", await claim.finish(RESULT));
      }
    }
  }
}
