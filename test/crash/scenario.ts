/** What is killed and recovered, and what must hold afterwards. */
import type { Walk } from "../support/walker.ts";
import type { Site } from "./site.ts";

export interface Scenario {
  /** As the table names it. */
  readonly name: string;
  readonly place: string;
  /** Makes the repository in which it happens. */
  readonly open: (executable: string) => Promise<Site>;
  /** The program that is recorded, with its arguments. */
  readonly argv: (site: Site) => readonly string[];
  /** Whether the undisturbed program ended as it should, by what it printed. */
  readonly isGood: (said: string) => boolean;
  /** Recovers what a crash has left, and says how that ended. */
  readonly recover: (site: Site, before: Before) => Promise<Recovered>;
  /** What must be possible afterwards; once for each of the states that a recovery leads to. */
  readonly goOn: (site: Site, before: Before, recovered: Recovered) => Promise<readonly string[]>;
}

/** The repository before the program began: as git sees it, too, and only its files. */
export interface Before {
  readonly whole: Walk;
  readonly files: Walk;
}

export interface Recovered {
  readonly outcome: string;
  /** What is not as it should be, in words; empty is good. */
  readonly failures: readonly string[];
}
