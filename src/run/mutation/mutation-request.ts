import type { Config } from "../../contract/config/config.ts";
import type { Check } from "../../core/checks/verification-plan.ts";
import type { Mutation } from "../../core/mutation/list-mutations.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import type { SandboxPrograms } from "../../io/sandbox/bubblewrap.ts";
import type { MutationPlace } from "./mutation-place.ts";
import type { ChangedSource } from "./mutation-sources.ts";

export interface MutationRequest {
  readonly repository: Repository;
  readonly config: Config;
  /** Fast ones: each of them runs once for each mutation. */
  readonly checks: readonly Check[];
  readonly limits: RequestLimits;
  readonly sources: readonly ChangedSource[];
  /** Makes the tree of the place equal to the judged change; a byte string. */
  readonly fill: (tree: string) => void | Promise<void>;
  /** The folder that the place is made in, outside of the repository. */
  readonly around: string;
  /** Carried by every process of the mutations. */
  readonly marker: string;
  readonly signal: AbortSignal;
}

interface RequestLimits {
  readonly count: number;
  readonly seconds: number;
  /** The option or key that names the seconds, and the reason where there is no check. */
  readonly words: { readonly seconds: string; readonly noCheck: string };
}

export interface MutationRun extends MutationRequest {
  readonly mutations: readonly Mutation[];
  readonly possible: number;
  readonly place: MutationPlace;
  readonly sandbox: SandboxPrograms | null;
  readonly endsAtMs: number;
}
