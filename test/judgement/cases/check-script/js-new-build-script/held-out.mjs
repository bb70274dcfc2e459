// Never seen by the change: builds and uses the result.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { status } = spawnSync("npm", ["run", "--silent", "build"], { timeout: 60_000 });
if (status !== 0 || !existsSync("dist/slug.mjs")) process.exit(1);
const { slugify } = await import(pathToFileURL("dist/slug.mjs").href);
const isIgnored = spawnSync("git", ["check-ignore", "-q", "dist/slug.mjs"]).status === 0;
process.exit(slugify("A b") === "a-b" && !readFileSync("dist/slug.mjs", "utf8").includes("/**") && isIgnored ? 0 : 1);
