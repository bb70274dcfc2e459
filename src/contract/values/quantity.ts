import * as v from "valibot";

/** A number of things, zero included. */
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A number of things of which there must be one at least. */
export const Positive = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A limit in seconds. Fractions are allowed; a week is the longest wait that anybody can mean. */
export const Seconds = v.pipe(v.number(), v.gtValue(0), v.maxValue(604_800));

/** JSON can write a number that is larger than any machine can hold, and it would be read as infinite. */
const finite = v.check((amount: number) => Number.isFinite(amount), "it is too large");

/** An amount as an agent's program reports it. relais itself estimates no cost. */
export const Dollars = v.pipe(v.number(), v.minValue(0), finite);

/** A cap on reported dollars; null, the usual value, is no cap. */
export const DollarCap = v.nullable(v.pipe(v.number(), v.gtValue(0), finite));

/** The most turns of a session that anybody can ask for. */
export const TURNS_MAX = 1000;
