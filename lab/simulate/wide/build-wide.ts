/**
 * Bundles the wide search: the real rooms, with doors of the model in the place of what reaches the world. Whatever else is
 * asked of a door or of an agent's program ends the search with its name.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { DOORS as WORLD } from "../../../scripts/rooms.mjs";
import type * as Wide from "./search-wide.ts";

const HERE = join("lab", "simulate", "wide");

/** What a door exports stands in for what has the same name in `src`, in whichever file it lies there. */
const DOORS: readonly string[] = readdirSync(join(HERE, "doors"));

/** Whole files of the doors to the world that are pure: the text of a line, names of bytes. */
const REAL_FILES: readonly string[] = [
  "journal/journal-text",
  "journal/journal-file",
  "system/byte-path",
  "agents/fallbacks",
  "journal/recorded-evidence",
];
/** Beside what reaches the world, in one file with it. */
const REAL_NAMES: readonly string[] = ["readErrorCode", "isInBackground"];

const openDoors: Plugin = {
  name: "open-doors",
  setup: (bundler) => {
    const doors = listDoors();
    bundler.onResolve({ filter: /^node:timers\/promises$/ }, () => ({ path: resolve(HERE, "doors", "machine.ts") }));
    bundler.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = path.endsWith("/folded-lines.ts") ? summariseSooner(text) : writeModule(path, text, doors);
      return { contents, loader: "ts" };
    });
  },
};

/** By the exported name, the door that has it. */
function listDoors(): ReadonlyMap<string, string> {
  const files = DOORS.map((name) => resolve(HERE, "doors", name));
  return new Map(files.flatMap((file) => listExports(readFileSync(file, "utf8")).map((name) => [name, file] as const)));
}

/** A journal is opened by its summary after a few ticks, not after twenty. */
function summariseSooner(text: string): string {
  const sooner = text
    .replace("RECENT_TICKS = 20;", "RECENT_TICKS = 3;")
    .replace("RECENT_LINES = 120;", "RECENT_LINES = 25;");
  if (sooner.length !== text.length - 2) throw new Error("the length of a summary is set elsewhere");
  return sooner;
}

const isOfWorld = (name: string): boolean => [...WORLD, "agents"].includes(dirname(name)) && !REAL_FILES.includes(name);

/** The module with what the doors have of it; whatever else reaches the world only says that the model does not have it. */
function writeModule(path: string, text: string, doors: ReadonlyMap<string, string>): string {
  const short = relative("src", path);
  const isWorld = isOfWorld(short.replace(/\.ts$/, ""));
  const names = listExports(text);
  const replaced = names.filter((name) => doors.has(name) || (isWorld && !REAL_NAMES.includes(name)));
  const lines = replaced.map((name) => {
    const door = doors.get(name);
    if (door !== undefined) return `import { ${name} } from ${JSON.stringify(door)}; export { ${name} };`;
    const message = JSON.stringify(`not in the model: ${name} of ${short}`);
    return /^[A-Z_]+$/.test(name)
      ? `export const ${name} = null;`
      : `export function ${name}() { throw getWorld().fail(${message}); }`;
  });
  const head = `import { getWorld } from ${JSON.stringify(resolve(HERE, "stage.ts"))};`;
  if (replaced.length === names.length && isWorld) return [head, ...lines].join("\n");
  return replaced.length === 0 ? text : [head, hideExports(text, replaced), ...lines].join("\n");
}

/** What is replaced stays in its file under another name, so that its neighbours use what stands in for it. */
const hideExports = (text: string, names: readonly string[]): string =>
  text.replaceAll(/^export ((?:async )?(?:function\*?|const|class) )(\w+)/gm, (line, words: string, name: string) =>
    names.includes(name) ? `${words}replaced_${name}` : line,
  );

function listExports(text: string): readonly string[] {
  const declared = [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map(([, name]) => name);
  const passedOn = [...text.matchAll(/^export \{ ([\w, ]+) \}/gm)].flatMap(([, names]) => names?.split(", "));
  return [...declared, ...passedOn].flatMap((name) => name ?? []);
}

export async function loadWide(): Promise<typeof Wide> {
  return import(pathToFileURL(await buildWide("search-wide")).href);
}

/** The path of the bundle. */
export async function buildWide(entry: "search-wide" | "child"): Promise<string> {
  const outfile = resolve(".cache", "simulate", `wide-${entry}.mjs`);
  await build({
    entryPoints: [join(HERE, `${entry}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    plugins: [openDoors],
    loader: { ".txt": "text", ".md": "text" },
    logLevel: "warning",
  });
  return outfile;
}
