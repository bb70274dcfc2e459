/** Bundles the schedules with the real engine, a double of the server's client, and without timers. */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type * as Schedules from "./explore-schedules.ts";

const HERE = join("lab", "simulate", "queue", "schedules");

/** Everybody but itself reads records through it. */
const MEMO = "memo-record-text.ts";
const rememberRecords: Plugin = {
  name: "remember-records",
  setup: (bundler) => {
    bundler.onResolve({ filter: /\/record-text\.ts$/ }, ({ importer, resolveDir, path }) => ({
      path: importer.endsWith(MEMO) ? resolve(resolveDir, path) : resolve(HERE, MEMO),
    }));
  },
};

export async function loadSchedules(): Promise<typeof Schedules> {
  return import(pathToFileURL(await buildSchedules("explore-schedules")).href);
}

/** The path of the bundle. */
export async function buildSchedules(entry: "explore-schedules" | "child"): Promise<string> {
  const outfile = join(".cache", "simulate", `schedules-${entry}.mjs`);
  await build({
    entryPoints: [join(HERE, `${entry}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: {
      "@nats-io/jetstream": resolve(HERE, "jetstream-double.ts"),
      "node:crypto": resolve(HERE, "crypto-double.ts"),
    },
    plugins: [rememberRecords],
    inject: [join(HERE, "no-time.ts")],
    logLevel: "warning",
  });
  return outfile;
}
