/**
 * How often a property is tried, and with which inputs. `npm test` tries each a few times and always with the same
 * inputs, so that a change is judged by what it changed and not by chance. `RELAIS_FUZZ` (`npm run test:fuzz`) tries it
 * as often as the property asks for, times that number, and from 2 on with new inputs each time.
 */
const FEW = 100;
const asked = process.env["RELAIS_FUZZ"];

const TIMES = Math.max(1, Number(asked ?? 1));

/** The number of runs of a property that asks for this many where there is time, and for fewer where there is little. */
export const runs = (count: number, few = FEW): { readonly numRuns: number } => ({
  numRuns: asked === undefined ? Math.min(count, few) : count * TIMES,
});

/** Null where new inputs are looked for. */
export const SEED = TIMES > 1 ? null : 20_260_115;

/** How long a property may take, however often it is repeated. */
export const PROPERTY_TIMEOUT_MS = 60_000 * TIMES;
