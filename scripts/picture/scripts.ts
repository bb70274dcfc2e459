/** What is typed for the picture, and how it must end. */
import { SENTENCES } from "./shop.ts";

const STATUS_OF_A_STOP = 10;

interface Line {
  readonly command: string;
  /** The status that it must end with, or nothing is written. */
  readonly status: number;
  /** How long the end of it is to be looked at before the next one is typed; nothing where there is no next one. */
  readonly holdMs: number;
}

export interface Script {
  readonly about: string;
  readonly sample: "shop" | "thermometer";
  /** How long all of it takes. */
  readonly lengthMs: number;
  readonly lines: readonly Line[];
}

const run = (name: keyof typeof SENTENCES, status: number): Line => ({
  command: `relais run "${SENTENCES[name]}"`,
  status,
  holdMs: 3600,
});

/** In the order of the film. */
export const SCRIPTS: readonly Script[] = [
  {
    about: "One sentence, no setup: an honest step is checked, and kept.",
    sample: "shop",
    lengthMs: 14_000,
    lines: [run("count", 0), { command: "relais accept", status: 0, holdMs: 0 }],
  },
  {
    about: "An edit outside the task is reverted, with everything that came with it.",
    sample: "shop",
    lengthMs: 10_000,
    lines: [run("round", STATUS_OF_A_STOP)],
  },
  {
    about: '"Done. All tests pass." is a claim. The check knows better.',
    sample: "shop",
    lengthMs: 10_000,
    lines: [run("discount", STATUS_OF_A_STOP)],
  },
  {
    about: "A larger goal: taken apart, one judged step at a time.",
    sample: "thermometer",
    lengthMs: 20_000,
    lines: [{ command: "relais tree run", status: 0, holdMs: 0 }],
  },
];
