import { readFileSync } from "node:fs";

/** Lets the tests import a text file as what it says, as the bundler does for the executable. */
export const importText = {
  name: "import-text",
  enforce: "pre" as const,
  load: (id: string) => (id.endsWith(".txt") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))}` : null),
};
