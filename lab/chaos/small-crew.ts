/** Small workers whose jobs are shell scripts: many of them die in a minute. */
import { execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import type { JobView } from "../../src/queue/pure/engine.ts";
import { REQUIRE } from "../../test/queue/children.ts";
import { gitEnvironment } from "../../test/support/repositories.ts";
import type { ChaosCrew } from "./chaos.ts";
import type { ChaosPlaces } from "./chaos-places.ts";
import { readLines } from "./examine-chaos.ts";

const LEASE_MS = 1000;
const SLOTS = 2;
const KEYS = 6;

export async function openSmallCrew(places: ChaosPlaces): Promise<ChaosCrew> {
  await prepareSmall(places);
  return {
    queue: places.queue,
    workers: 4,
    backlog: 14,
    pauseMs: 600,
    env: process.env,
    isSmall: true,
    leaseMs: LEASE_MS,
    command: (name) => [process.execPath, places.worker, places.folder, name, String(SLOTS), String(LEASE_MS)],
    describeJob: (random) => {
      const steps = String(1 + random.below(random.below(4) === 0 ? 40 : 8));
      const lifeline = random.below(2) === 0 ? "deaf" : "listening";
      return { key: `repository#${random.below(KEYS)}`, arguments: [steps, lifeline] };
    },
    findDuplicates: async (views) => findDuplicates(places, views),
  };
}

/** Makes the repository and the programs of a run. */
async function prepareSmall(places: ChaosPlaces): Promise<void> {
  writeFileSync(places.made, "");
  copyFileSync("lab/chaos/session.sh", places.session);
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { encoding: "utf8", env: { ...process.env, ...gitEnvironment(places.folder) } }).trim();
  git("init", "--quiet", "--bare", places.repository);
  const tree = git("-C", places.repository, "mktree", "--missing");
  const base = git("-C", places.repository, "commit-tree", tree, "-m", "base");
  git("-C", places.repository, "update-ref", "HEAD", base);
  git("-C", places.repository, "config", "user.name", "chaos");
  git("-C", places.repository, "config", "user.email", "chaos@example.invalid");
  await build({
    entryPoints: [resolve("lab/chaos/chaos-worker.ts")],
    outfile: places.worker,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: REQUIRE },
    logLevel: "warning",
  });
}

/** Branches that were made twice, or that are not the recorded ones. */
function findDuplicates({ repository, made: list }: ChaosPlaces, views: readonly JobView[]): string[] {
  const made = readLines(list);
  const refs = execFileSync("git", ["-C", repository, "for-each-ref", "--format=%(refname) %(objectname)"], {
    encoding: "utf8",
  });
  const commits = new Map(
    refs
      .split("\n")
      .filter((line) => line.startsWith("refs/heads/relais/"))
      .map((line) => [line.split(" ")[0]?.slice("refs/heads/relais/".length) ?? "", line.split(" ")[1] ?? ""]),
  );
  const names = made.map((line) => line.split(" ")[0] ?? "");
  const twice = names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} was made twice`);
  const wrong = views
    .filter(({ id, phase, result }) => phase === "done" && commits.get(id) !== result?.commit)
    .map(({ id }) => `${id} has another branch than its record`);
  return [...twice, ...wrong];
}
