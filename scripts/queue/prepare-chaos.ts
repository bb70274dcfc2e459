import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { gitEnvironment } from "../../test/support/repositories.ts";
import type { ChaosPlaces } from "./chaos-places.ts";

/** Makes the repository and the programs of a run. */
export async function preparePlaces(places: ChaosPlaces): Promise<void> {
  mkdirSync(places.locks);
  for (const file of [places.overlaps, places.made]) writeFileSync(file, "");
  copyFileSync("scripts/queue/session.sh", places.session);
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { encoding: "utf8", env: { ...process.env, ...gitEnvironment(places.folder) } }).trim();
  git("init", "--quiet", "--bare", places.repository);
  const tree = git("-C", places.repository, "mktree", "--missing");
  const base = git("-C", places.repository, "commit-tree", tree, "-m", "base");
  git("-C", places.repository, "update-ref", "HEAD", base);
  git("-C", places.repository, "config", "user.name", "chaos");
  git("-C", places.repository, "config", "user.email", "chaos@example.invalid");
  await build({
    entryPoints: [resolve("scripts/queue/chaos-worker.ts")],
    outfile: places.worker,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
}
