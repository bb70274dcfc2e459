import type { Options, OptionSpecs } from "./option-spec.ts";

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
