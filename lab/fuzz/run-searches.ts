/** Starts a process for each target, and says what it found: a broken property, a hang, a crash or too much memory. */
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { nameDocument, tellHowToKeep } from "./kept-inputs.ts";
import type { SearchNews } from "./search.ts";

export interface Searches {
  readonly names: readonly string[];
  readonly seconds: number;
  readonly seed: number;
  /** Whether the smallest corpus replaces the kept one. */
  readonly keep: boolean;
}

interface Finding {
  readonly name: string;
  readonly what: string;
  readonly input: Buffer;
}

const CACHE = join(".cache", "fuzz");
/** No input of 64 KB may take longer; a search that is silent for as long hangs. */
const HANG_MS = 30_000;
const MEMORY_MB = 512;
const INPUT_SHOWN = 500;
/** Files that are synced for each input would be most of the work. */
const MEMORY = "/dev/shm";

/** Whether every property held. */
export async function runSearches({ names, seconds, seed, keep }: Searches): Promise<boolean> {
  let isGood = true;
  for (const name of names) {
    const out = join(CACHE, name);
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const program = await bundleSearch(name, out);
    const known = [nameDocument("corpus", name), nameDocument("cases", name)].filter(existsSync);
    const request = JSON.stringify({ seconds, seed, known, out });
    const child = spawn(process.execPath, [`--max-old-space-size=${MEMORY_MB}`, program, request], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: existsSync(MEMORY) ? MEMORY : tmpdir() },
    });
    const finding = await watchSearch(name, child, out);
    if (finding !== null) {
      isGood = false;
      tellFinding(finding);
    } else if (keep) copyFileSync(join(out, "corpus.txt"), nameDocument("corpus", name));
  }
  return isGood;
}

/** With one target alone: V8 counts everything in the program, and that takes as long as the program is large. */
async function bundleSearch(name: string, out: string): Promise<string> {
  const outfile = join(out, "child.cjs");
  const contents = `
    import { startSearch } from "./lab/fuzz/child.ts";
    import * as targets from "./lab/fuzz/targets/${name}.ts";
    startSearch(targets);`;
  await build({
    stdin: { contents, resolveDir: process.cwd(), loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    packages: "external",
    loader: { ".txt": "text", ".html": "text" },
    logLevel: "warning",
  });
  return outfile;
}

async function watchSearch(name: string, child: ChildProcess, out: string): Promise<Finding | null> {
  let last: SearchNews = { inputs: 0, corpus: 0, features: 0, failure: null };
  let isHanging = false;
  const hang = setTimeout(() => {
    isHanging = true;
    child.kill("SIGKILL");
  }, HANG_MS);
  if (child.stdout !== null)
    for await (const line of createInterface({ input: child.stdout })) {
      last = JSON.parse(line);
      hang.refresh();
    }
  const status = child.exitCode ?? (await new Promise<number | null>((done) => child.once("close", done)));
  clearTimeout(hang);
  process.stdout.write(`${name}: ${last.inputs} inputs, ${last.corpus} kept, ${last.features} pieces of code\n`);
  if (last.failure !== null) return { name, what: last.failure, input: readFileSync(join(out, "failing")) };
  if (status === 0) return null;
  const what = isHanging ? `it took longer than ${HANG_MS / 1000} s` : `its process ended with ${status ?? "a signal"}`;
  return { name, what, input: readFileSync(join(out, "current")) };
}

function tellFinding({ name, what, input }: Finding): void {
  const shown = JSON.stringify(input.toString("latin1", 0, INPUT_SHOWN));
  process.stdout.write(`${name} FAILED: ${what}\ninput: ${shown}\n${tellHowToKeep(name, input)}\n`);
}
