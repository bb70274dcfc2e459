/** A key of the configuration with its meaning, which the schema and docs/configuration.md repeat. */
import * as v from "valibot";

/** An optional key: its values, its meaning and its default. */
export function key<const Taken extends v.GenericSchema, const Fallback extends v.Default<Taken, never>>(
  taken: Taken,
  meaning: string,
  fallback: Fallback,
) {
  return v.exactOptional(v.pipe(taken, v.description(meaning)), fallback);
}

/** An optional key without a default. */
export function openKey<const Taken extends v.GenericSchema>(taken: Taken, meaning: string) {
  return v.exactOptional(v.pipe(taken, v.description(meaning)));
}
