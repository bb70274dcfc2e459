/** Follows one repository: its ticks as they are recorded, and its state whenever that may have changed. */
import { describeError } from "../../contract/values/describe-error.ts";
import { lookAtHolder } from "../../run/inspect/status.ts";
import type { StatusRequest } from "../../run/inspect/status-request.ts";
import { watchEvents } from "../../run/inspect/watch-run.ts";
import { withSnapshot } from "../../run/workspace/with-snapshot.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { repeatEvery } from "../../io/machine/every.ts";
import { pauseUntil } from "../../io/machine/pause.ts";
import type { RepositoryName, RepositoryPage, StreamLine } from "../page-model/repository-documents.ts";
import { describeUnreadable, openRepositoryState, type RepositoryState } from "./repository-state.ts";

export interface FeedRequest extends StatusRequest {
  readonly name: RepositoryName;
  readonly emit: (line: StreamLine) => void;
}

const LOOK_MS = 500;
const RETRY_MS = 3000;
/** A look at a long journal takes a while, and the next one waits so many times longer. */
const REST_FACTOR = 3;

export function openFeed(request: FeedRequest): RepositoryFeed {
  const feed = new RepositoryFeed(request);
  void feed.follow();
  return feed;
}

export class RepositoryFeed {
  readonly #request: FeedRequest;
  readonly #looker = makeLooker(() => this.refresh());
  /** Null until it was read, and where it cannot be. */
  state: RepositoryState | null = null;
  page: RepositoryPage | null = null;
  /** Whether the first look is over. */
  isRead = false;

  constructor(request: FeedRequest) {
    this.#request = request;
  }

  get name(): RepositoryName {
    return this.#request.name;
  }

  /** Looks again, after a decision. */
  async refresh(): Promise<void> {
    if (this.state !== null) this.#show(await this.state.readPage(this.#request));
  }

  /** Until the signal fires. A journal that cannot be read now is tried again. */
  async follow(): Promise<void> {
    const { signal } = this.#request;
    while (!signal.aborted) {
      this.state = await this.#readAll().catch((error: unknown) => this.#fail(describeError(error)));
      this.isRead = true;
      if (this.state !== null) await this.#followOnce(this.state).catch(() => {});
      if (!signal.aborted) await pauseUntil(readClockMs() + RETRY_MS, { signal, onStep: () => {} });
    }
  }

  #show(page: RepositoryPage): void {
    this.page = page;
    this.#request.emit({ kind: "now", repository: this.name.id, page });
  }

  #fail(reason: string): null {
    this.#show(describeUnreadable(reason));
    return null;
  }

  async #readAll(): Promise<RepositoryState | null> {
    const found = await withSnapshot(this.#request, (snapshot) => snapshot);
    if (found.kind !== "snapshot") return this.#fail(found.message);
    this.state = openRepositoryState(found);
    this.#request.emit({ kind: "ticks", repository: this.name.id, rows: this.state.rows() });
    await this.refresh();
    return this.state;
  }

  async #followOnce(state: RepositoryState): Promise<void> {
    const { emit, signal } = this.#request;
    const over = new AbortController();
    const stop = watchHolder(state, this.#looker.ask);
    await watchEvents(state.around(), {
      signal: AbortSignal.any([signal, over.signal]),
      onLines: (lines) => {
        emit({ kind: "ticks", repository: this.name.id, rows: state.add(lines) });
        this.#looker.ask();
      },
      // What was shown of a replaced or damaged journal does not hold any more.
      onTrouble: () => over.abort(),
    }).finally(stop);
  }
}

/** One look at a time; a wish during a look leads to another one, after a rest. */
function makeLooker(look: () => Promise<void>) {
  let [isLooking, isAsked, restUntilMs] = [false, false, 0];
  const run = async (): Promise<void> => {
    isAsked = false;
    const begunMs = readClockMs();
    await look().catch(() => {});
    restUntilMs = readClockMs() + REST_FACTOR * (readClockMs() - begunMs);
    isLooking = false;
    if (isAsked) ask();
  };
  const ask = (): void => {
    isAsked = true;
    if (isLooking) return;
    isLooking = true;
    setTimeout(() => void run(), Math.max(0, restUntilMs - readClockMs())).unref();
  };
  return { ask };
}

/** A process that was killed records nothing, and one that starts records nothing at first. */
function watchHolder(state: RepositoryState, onChange: () => void): () => void {
  let seen: number | null | undefined;
  return repeatEvery(LOOK_MS, () => {
    lookAtHolder(state.around())
      .then((holder) => {
        const pid = holder?.pid ?? null;
        if (seen !== undefined && seen !== pid) onChange();
        seen = pid;
      })
      .catch(() => {});
  });
}
