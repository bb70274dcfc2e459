import * as v from "valibot";

export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const Positive = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A limit in seconds. Fractions are allowed; a week is the longest wait that anybody can mean. */
export const Seconds = v.pipe(v.number(), v.gtValue(0), v.maxValue(604_800));

/** JSON can hold a number that JavaScript reads as infinite. */
const finite = v.check((amount: number) => Number.isFinite(amount), "it is too large");

/** As an agent's program reports it; relais estimates no cost. */
export const Dollars = v.pipe(v.number(), v.minValue(0), finite);

export const DollarCap = v.nullable(v.pipe(v.number(), v.gtValue(0), finite));

export const TURNS_MAX = 1000;

export const ITERATIONS_MAX = 10_000;

/** The iterations of a campaign. */
export const Iterations = v.pipe(Positive, v.maxValue(ITERATIONS_MAX));
