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
export type BuilderClass = (typeof BUILDER_CLASSES)[number];
