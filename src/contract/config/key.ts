/**
 * A key of the configuration, with its meaning.
 *
 * The meaning stands where the key is defined, so that editors (through the schema) and docs/configuration.md tell the
 * same, and a key without one is noticed.
 */
import * as v from "valibot";

/** A key that may be left out: what it takes, what it means, and what it is then. */
export function key<const Taken extends v.GenericSchema, const Fallback extends v.Default<Taken, never>>(
  taken: Taken,
  meaning: string,
  fallback: Fallback,
) {
  return v.exactOptional(v.pipe(taken, v.description(meaning)), fallback);
}

/** A key that may be left out and has no value of its own then. */
export function openKey<const Taken extends v.GenericSchema>(taken: Taken, meaning: string) {
  return v.exactOptional(v.pipe(taken, v.description(meaning)));
}
