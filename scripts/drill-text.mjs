/**
 * Every builder of the drill as one text: a JSON object from its path below `drill/` to its text. Every bundler that
 * imports `drill/builders.txt` gets this text, so the drill needs no other file.
 */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../drill");
const BUILDERS = /\/drill\/builders\.txt$/;

function readBuilders() {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    [".sh", ".mjs"].includes(extname(name)),
  );
  return JSON.stringify(
    Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(join(folder, name), "utf8")])),
  );
}

/** For rolldown and Vite. */
export const importBuilders = {
  name: "import-builders",
  enforce: "pre",
  load: {
    filter: { id: BUILDERS },
    handler: () => ({ code: `export default ${JSON.stringify(readBuilders())};`, moduleType: "js" }),
  },
};

/** For esbuild. */
export const importBuildersInto = {
  name: "import-builders",
  setup: ({ onLoad }) => onLoad({ filter: BUILDERS }, () => ({ contents: readBuilders(), loader: "text" })),
};
