/** Sweeps one scenario, which its argument names as JSON, and prints what was found as JSON. */
import { openFreshRelais } from "../../test/crash/fresh-relais.ts";
import { SCENARIOS } from "../../test/crash/scenarios.ts";
import { sweep } from "../../test/crash/sweep.ts";
import { spread } from "../../test/support/spread.ts";

export interface ScenarioRequest {
  /** Its name and place. */
  readonly title: string;
  readonly executable: string;
  /** The same as a library. */
  readonly library: string;
  readonly recorder: string;
  /** Keeps the states and what was found at them, for the next time. */
  readonly folder: string;
  /** One state out of so many. */
  readonly step: number;
  /** After so long the rest is left to the next time. */
  readonly seconds: number | null;
}

const PROGRESS_EVERY = 50;

const request: ScenarioRequest = JSON.parse(process.argv[2] ?? "");
const { title, executable, library, recorder, folder, step, seconds } = request;
const end = performance.now() + (seconds ?? Infinity) * 1000;
const scenario = SCENARIOS.find(({ name, place }) => `${name}, ${place}` === title);
if (scenario === undefined) throw new Error(`no scenario is ${title}`);
let count = 0;
const swept = await sweep({
  scenario,
  executable,
  quickRelais: openFreshRelais(library, executable),
  recorder,
  folder,
  choose: (states) => spread(states.filter((_, index) => index % step === 0)),
  isOver: () => performance.now() > end,
  onState: (state) => {
    count += 1;
    if (state.failures.length > 0)
      console.error(`${title}, ${state.name} ${state.call}: ${state.failures.join("\n  ").slice(0, 3000)}`);
    if (count % PROGRESS_EVERY === 0) console.error(`${title}: ${count} more`);
  },
});
console.log(JSON.stringify(swept));
