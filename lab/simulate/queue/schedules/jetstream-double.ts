/**
 * A server of NATS JetStream without time: one stream with compare-and-swap. Every request waits until the schedule lets it
 * happen, and its answer may be lost. It takes the place of the client's package in the bundle of the schedules.
 */
export const DeliverPolicy = { All: "all", StartSequence: "start", LastPerSubject: "last" } as const;

const WRONG_SEQUENCE = 10_071;

export class JetStreamApiError extends Error {
  readonly code = WRONG_SEQUENCE;
}

type Ask = <T>(what: string, work: () => T) => Promise<T>;
type Callback = (message: { readonly seq: number; readonly string: () => string }) => void;

export class StreamDouble {
  readonly texts: string[] = [];
  readonly #callbacks = new Map<string, Callback>();
  readonly #delivered = new Map<string, number>();

  /** Of one process. */
  connect(name: string, ask: Ask) {
    return { double: this, name, ask, getServer: () => "double" };
  }

  publish(text: string, expected: number | undefined): { readonly seq: number } {
    if (expected !== undefined && expected !== this.texts.length) throw new JetStreamApiError("wrong last sequence");
    this.texts.push(text);
    return { seq: this.texts.length };
  }

  follow(name: string, from: number, callback: Callback): void {
    this.#callbacks.set(name, callback);
    this.#delivered.set(name, from - 1);
  }

  /** Who has not been told everything. */
  listLate(): readonly string[] {
    return [...this.#callbacks.keys()].filter((name) => (this.#delivered.get(name) ?? 0) < this.texts.length);
  }

  /** Tells one process the next record; with `again`, the last one once more. */
  deliver(name: string, again: boolean): void {
    const seq = (this.#delivered.get(name) ?? 0) + (again ? 0 : 1);
    const text = this.texts[seq - 1];
    if (text === undefined) return;
    this.#delivered.set(name, seq);
    this.#callbacks.get(name)?.({ seq, string: () => text });
  }
}

type Connection = ReturnType<StreamDouble["connect"]>;

interface Published {
  readonly expect?: { readonly lastSequence?: number };
}

export const jetstream = ({ double, name, ask }: Connection) => ({
  publish: (_subject: string, text: string, options: Published) =>
    ask("publish", () => double.publish(text, options.expect?.lastSequence)),
  consumers: {
    get: async (_stream: string, from: { readonly opt_start_seq?: number }) => ({
      consume: async ({ callback }: { readonly callback: Callback }) => {
        double.follow(name, from.opt_start_seq ?? 1, callback);
        return { close: async () => {} };
      },
    }),
  },
});

export const jetstreamManager = async ({ double, ask }: Connection) => ({
  streams: {
    info: async () => ({ state: { first_seq: 1, last_seq: double.texts.length } }),
    getMessage: (_stream: string, query: { readonly seq?: number }) =>
      ask(query.seq === undefined ? "ask for the last record" : "ask for a record", () => {
        const seq = query.seq ?? double.texts.length;
        const text = double.texts[seq - 1];
        return text === undefined ? null : { seq, string: () => text };
      }),
  },
});
