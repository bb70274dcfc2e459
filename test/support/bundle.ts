import { join } from "node:path";
import { build } from "esbuild";

/** Makes a program of `test/fixtures/programs` that imports our sources into one file that node can run. */
export async function bundle(program: string, folder: string): Promise<string> {
  const outfile = join(folder, program.replace(/\.ts$/, ".mjs"));
  await build({
    entryPoints: [join(import.meta.dirname, "../fixtures/programs", program)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  return outfile;
}
