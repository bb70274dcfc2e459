import type { Config } from "../../contract/config/config.ts";
import type { ContentStore } from "../../io/content/content-store.ts";
import type { FilterSettings } from "../../io/git/filter-settings.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import type { Workplace } from "../evidence/in-place.ts";

/** Nothing in it changes during a tick. */
export interface TickContext {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** The folder of this tick in the state directory: task, evidence, logs, transcripts. */
  readonly runDirectory: string;
  readonly workspace: string;
  readonly config: Config;
  readonly configText: string;
  readonly runId: string;
  readonly seriesId: string;
  readonly place: Workplace;
  readonly store: ContentStore;
  /** As they were when the tick began. */
  readonly settings: FilterSettings;
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}
