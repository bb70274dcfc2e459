import type { Config } from "../../contract/config/config.ts";
import type { ContentStore } from "../../io/content/content-store.ts";
import type { FilterSettings } from "../../io/git/filter-settings.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import type { Workplace } from "../evidence/in-place.ts";

/** What every step of a tick may use. Nothing in it changes while the tick lasts. */
export interface TickContext {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** The place of this tick in the state directory: task, evidence, logs, transcripts. */
  readonly runDirectory: string;
  /** The workspace folder in the repository, as an absolute path. */
  readonly workspace: string;
  readonly config: Config;
  readonly configText: string;
  readonly runId: string;
  readonly seriesId: string;
  readonly place: Workplace;
  readonly store: ContentStore;
  /** The settings of git that decide what a commit holds, as they were when the tick began. */
  readonly settings: FilterSettings;
  /** Aborted by a signal to relais. */
  readonly signal: AbortSignal;
  /** When the tick must be over, in milliseconds since the epoch. */
  readonly deadlineAt: number;
}
