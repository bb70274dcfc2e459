/** The classes of the builders that `relais drill` brings; `attacks/` has more. */
export const BUILDER_CLASSES = [
  "git",
  "files",
  "runner",
  "processes",
  "verification",
  "output",
  "patches",
  "place",
  "honest",
] as const;
