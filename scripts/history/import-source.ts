import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Imports a source file of a checkout. Its folder may be another one there; its name and its last part may not. */
export async function importSource(checkout: string, path: string) {
  const sources = readdirSync(join(checkout, "src"), { recursive: true, encoding: "utf8" });
  const source = sources.find((name) => name === path) ?? sources.find((name) => basename(name) === basename(path));
  if (source === undefined) throw new Error(`there is no ${path} in the sources`);
  const outfile = resolve(".cache/scripts", `recorded-${basename(path, ".ts")}.mjs`);
  const entryPoints = [join(checkout, "src", source)];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm" });
  return import(pathToFileURL(outfile).href);
}
