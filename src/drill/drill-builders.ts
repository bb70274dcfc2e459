import text from "./builders.txt";
import { type HostileBuilder, readBuilder } from "./pure/hostile-builder.ts";

/** Every builder that comes with relais. */
export function listBuilders(): readonly HostileBuilder[] {
  const programs: Readonly<Record<string, string>> = JSON.parse(text);
  return Object.entries(programs).map(([name, program]) => readBuilder(name, program));
}
