import type { Random } from "../../scripts/random.ts";

/** A parser of bytes that somebody else wrote, with what must hold for each input. */
export interface FuzzTarget {
  /** Also of the documents with its corpus (`lab/fuzz/corpus`) and its kept cases (`lab/fuzz/cases`). */
  readonly name: string;
  /** Inputs as they really come. */
  readonly seeds: () => readonly Buffer[];
  /** Pieces that the format knows; most are found in the seeds anyway. */
  readonly words?: readonly string[];
  /** A whole message by the grammar of the format; a part of the inputs are such ones, mutated or not. */
  readonly generate?: (random: Random) => Buffer;
  /** Makes sums right again after a mutation, where a reader would refuse everything else. */
  readonly repair?: (data: Buffer) => Buffer;
  /** Throws where a property does not hold. What the parser promises to throw is caught here. */
  readonly check: (data: Buffer) => void | Promise<void>;
  /** Ends what the first check has started. */
  readonly close?: () => Promise<void>;
}
