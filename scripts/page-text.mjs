/**
 * The page of `relais ui` as one text: its shell with the style and the bundled script inside. Every bundler that imports
 * `page.html` gets this text, so the page needs no other file.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const folder = join(root, "src/page/browser");
let built = null;
/** The files that the script is made of. */
let inputs = [];

/** Built once for each process. */
export function buildPage() {
  built ??= bundlePage();
  return built;
}

/** For the licences of the packages among them. */
export const listPageFiles = () => inputs;

async function bundlePage() {
  const [script, style] = await Promise.all([bundle("main.tsx"), bundle("page.css")]);
  const shell = readFileSync(join(folder, "page.html"), "utf8");
  // A function, because `$` means something in a replacement.
  return shell
    .replace("/*style*/", () => style)
    .replace("/*script*/", () => script.replaceAll("</script", "<\\/script"));
}

async function bundle(name) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, name)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome111", "firefox113", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfigRaw: {},
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    absWorkingDir: root,
  });
  inputs = [...inputs, ...Object.keys(metafile.inputs).map((path) => join(root, path))];
  return outputFiles[0].text.trim();
}

const PAGE = /\/page\/browser\/page\.html$/;

/** For rolldown and Vite. */
export const importPage = {
  name: "import-page",
  enforce: "pre",
  load: {
    filter: { id: PAGE },
    handler: async () => ({ code: `export default ${JSON.stringify(await buildPage())};`, moduleType: "js" }),
  },
};

/** For esbuild. */
export const importPageInto = {
  name: "import-page",
  setup: ({ onLoad }) => onLoad({ filter: PAGE }, async () => ({ contents: await buildPage(), loader: "text" })),
};
