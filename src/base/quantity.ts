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

const NO_NUL = /^[^\0]*$/;

export const Argument = v.pipe(v.string(), v.maxLength(4000), v.regex(NO_NUL, "an argument cannot contain NUL"));

/** The name or the path of a program. It is started as it stands, never through a shell. */
export const Program = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(400),
  v.regex(NO_NUL, "a program's name cannot contain NUL"),
);

export const Argv = v.pipe(v.array(Argument), v.minLength(1), v.maxLength(64));

export const VariableName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a variable is named with letters, digits and `_`"),
);

/** Whether a value is an object with keys, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const limitedText = (maxLength: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));

export const limitedTexts = ({ maxLength, maxItems }: { maxLength: number; maxItems: number }) =>
  v.pipe(v.array(limitedText(maxLength)), v.maxLength(maxItems));

/** The arguments of a command of relais, short enough to be pasted. */
export const CommandLine = v.pipe(v.array(v.pipe(v.string(), v.maxLength(1200))), v.minLength(1), v.maxLength(60));
