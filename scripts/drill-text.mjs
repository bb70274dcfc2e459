/**
 * Every builder of the drill as one text: a JSON object from its path below `attacks/` to its text. Every bundler that
 * imports `builders.txt` gets this text, so the drill needs no other file.
 */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../attacks");
const BUILDERS = /\/drill\/builders\.txt$/;
const SHIPPED = /^(?:#|\/\/) ship: yes$/m;

function readBuilders() {
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => [".sh", ".mjs"].includes(extname(name)))
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  return JSON.stringify(Object.fromEntries(texts.filter(([, text]) => SHIPPED.test(text))));
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
