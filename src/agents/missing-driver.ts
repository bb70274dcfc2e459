import type { Config } from "../contract/config.ts";
import { builderDriverName } from "./choose-driver.ts";

/** Builders that can be named and not yet be started. Whoever adds a driver takes its name out of this list. */
const MISSING: readonly ReturnType<typeof builderDriverName>[] = ["claude_code"];

/** A builder that is configured and that this relais cannot start, with what a person can do about it. */
export interface MissingDriver {
  readonly driver: string;
  /** Two sentences. */
  readonly message: string;
  readonly fix: string;
}

export function missingDriver(config: Config): MissingDriver | null {
  const driver = builderDriverName(config);
  if (!MISSING.includes(driver)) return null;
  return {
    driver,
    message: `The builder is ${driver}, and this relais has no driver for it yet. No tick can start.`,
    fix: 'Set builder.default_mode to "cursor" and builder.cursor to the program that is to build (docs/tick.md shows one), or to "scripted" for tasks that bring their own script.',
  };
}
