/** Starts the driver in a folder of its own and gathers what it tells. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { ATTACKS } from "../attacks/discover.ts";
import type { EngineReport } from "./compare-engines.ts";

export async function runDriver(ids: readonly string[]): Promise<ReadonlyMap<string, EngineReport>> {
  const work = realpathSync(mkdtempSync(join(tmpdir(), "relais-engines-")));
  try {
    cpSync(ATTACKS, join(work, ATTACKS), { recursive: true });
    const outfile = join(work, "driver.mjs");
    await build({
      entryPoints: [join(import.meta.dirname, "driver.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
      logLevel: "warning",
    });
    return await gather([outfile, work, ids.join(",")], work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function gather(args: readonly string[], work: string): Promise<ReadonlyMap<string, EngineReport>> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: work, TMPDIR: work },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (status !== 0) throw new Error(`the driver ended with ${String(status)}`);
  const reports = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): EngineReport => JSON.parse(line));
  return new Map(reports.map((report) => [report.id, report]));
}
