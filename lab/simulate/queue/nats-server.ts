/** A simulated server of NATS JetStream: one stream with compare-and-swap, one bucket, and a network that delays and loses. */
import { JetStreamApiError } from "@nats-io/jetstream";
import type { Machine, Process } from "../machine.ts";

const NETWORK_US = 3000;
const TIMEOUT_US = 5_000_000;
const WRONG_SEQUENCE = 10_071;

type Callback = (message: { readonly seq: number; readonly string: () => string }) => void;

interface Row {
  readonly key: string;
  readonly revision: number;
}

export class NatsServer {
  readonly texts: string[] = [];
  readonly #machine: Machine;
  readonly #rows = new Map<string, Row>();
  readonly #consumers: { readonly process: Process; readonly callback: Callback }[] = [];
  readonly #watchers: { readonly process: Process; readonly see: (row: Row) => void }[] = [];
  /** One request or answer of so many is lost; 0 is none. */
  lossOneIn = 0;
  /** Whose messages do not pass, until when. */
  readonly cut = new Map<Process, number>();
  #revision = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  #isLost(process: Process): boolean {
    const { random, nowUs } = this.#machine;
    return (this.cut.get(process) ?? 0) > nowUs || (this.lossOneIn > 0 && random.below(this.lossOneIn) === 0);
  }

  /** Does the work at the server after a while, and answers after another; without an answer, the client gives up. */
  #ask<T>(work: () => T): Promise<T> {
    const machine = this.#machine;
    const process = machine.current;
    if (process === null) throw new Error("nobody asks the server");
    return new Promise((resolve, reject) => {
      const stop = machine.after(TIMEOUT_US, process, () => reject(new Error("timeout")));
      const answer = (done: () => void): void => {
        if (this.#isLost(process)) return;
        machine.after(machine.random.below(NETWORK_US), process, () => {
          stop();
          done();
        });
      };
      if (this.#isLost(process)) return;
      machine.after(machine.random.below(NETWORK_US), null, () => {
        try {
          const value = work();
          answer(() => resolve(value));
        } catch (error) {
          answer(() => reject(error instanceof Error ? error : new Error(String(error))));
        }
      });
    });
  }

  #publish(text: string, expected: number | undefined): { readonly seq: number } {
    if (expected !== undefined && expected !== this.texts.length)
      throw new JetStreamApiError({ code: 400, err_code: WRONG_SEQUENCE, description: "wrong last sequence" });
    this.texts.push(text);
    const seq = this.texts.length;
    for (const { process, callback } of this.#consumers)
      this.#deliver(process, () => callback({ seq, string: () => text }));
    return { seq };
  }

  /** In their order and never lost, as an ordered consumer brings them; some of them twice. */
  #deliver(process: Process, work: () => void): void {
    const machine = this.#machine;
    const free = Math.max(machine.nowUs, this.cut.get(process) ?? 0, this.#delivered.get(process) ?? 0);
    const times = machine.random.below(20) === 0 ? 2 : 1;
    let at = free;
    for (let time = 0; time < times; time += 1) {
      at += 1 + machine.random.below(NETWORK_US);
      machine.after(at - machine.nowUs, process, work);
    }
    this.#delivered.set(process, at);
  }

  readonly #delivered = new Map<Process, number>();

  readonly jetstream = () => ({
    publish: (_subject: string, text: string, options?: { expect?: { lastSequence?: number } }) =>
      this.#ask(() => this.#publish(text, options?.expect?.lastSequence)),
    consumers: {
      get: async () => ({
        consume: async ({ callback }: { callback: Callback }) => {
          const { current } = this.#machine;
          if (current === null) throw new Error("nobody listens");
          this.#consumers.push({ process: current, callback });
          this.texts.forEach((text, at) => this.#deliver(current, () => callback({ seq: at + 1, string: () => text })));
          return { close: async () => {} };
        },
      }),
    },
  });

  readonly manager = async () => ({
    streams: {
      info: () => this.#ask(() => ({ state: { first_seq: 1, last_seq: this.texts.length } })),
      getMessage: (_stream: string, query: { seq?: number; last_by_subj?: string }) =>
        this.#ask(() => {
          const seq = query.seq ?? this.texts.length;
          const text = this.texts[seq - 1];
          return text === undefined ? null : { seq, string: () => text };
        }),
    },
  });

  /** The bucket of the beats. */
  readonly rows = {
    put: (key: string) =>
      this.#ask(() => {
        this.#revision += 1;
        const row = { key, revision: this.#revision };
        this.#rows.set(key, row);
        for (const { process, see } of this.#watchers) this.#deliver(process, () => see(row));
        return row.revision;
      }),
    get: (key: string) => this.#ask(() => this.#rows.get(key) ?? null),
    delete: (key: string) => this.#ask(() => void this.#rows.delete(key)),
    watch: async () => this.#watch(),
  };

  #watch() {
    const waiting: Row[] = [];
    let wake: (() => void) | null = null;
    const end = new AbortController();
    const { current } = this.#machine;
    const see = (row: Row): void => {
      waiting.push(row);
      wake?.();
    };
    if (current !== null) this.#watchers.push({ process: current, see });
    const rows = async function* (): AsyncGenerator<Row, void> {
      while (!end.signal.aborted) {
        const row = waiting.shift();
        if (row === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else yield row;
      }
    };
    return Object.assign(rows(), { stop: () => end.abort() });
  }
}
