import type { Options, OptionSpecs } from "./option-spec.ts";
import type { Environment } from "../base/environment.ts";

/** The options of every command. */
export const GLOBAL_OPTIONS = {
  json: { type: "flag", help: "Print JSON on standard output, also on failure" },
  cwd: { type: "text", value: "DIR", help: "Run in DIR" },
  quiet: { type: "flag", short: "q", help: "Print problems only" },
  verbose: { type: "flag", short: "v", help: "Show full lists" },
  plain: { type: "flag", help: "Timestamped log, no live view" },
  color: {
    type: "choice",
    value: "WHEN",
    choices: ["auto", "always", "never"],
    help: "auto, always or never; NO_COLOR is respected",
  },
  help: { type: "flag", short: "h", help: "Show help" },
  version: { type: "flag", help: "Show the version" },
} as const satisfies OptionSpecs;

export type GlobalOptions = Options<typeof GLOBAL_OPTIONS>;

/** The width where the terminal does not say. */
const COLUMNS = 100;

interface Width {
  readonly env: Environment;
  /** Of the terminal, where there is one. */
  readonly columns?: number | undefined;
}

/** COLUMNS, as a person set it, counts before the width of the terminal. */
export function countColumns({ env, columns }: Width): number {
  const asked = Number(env["COLUMNS"] ?? "");
  if (Number.isInteger(asked) && asked > 0) return asked;
  return columns !== undefined && columns > 0 ? columns : COLUMNS;
}

/** Put in place by the build; absent when the sources run unbundled. */
declare const RELAIS_VERSION: string | undefined;

export function readVersion(): string {
  return typeof RELAIS_VERSION === "string" ? RELAIS_VERSION : "0.0.0-source";
}
