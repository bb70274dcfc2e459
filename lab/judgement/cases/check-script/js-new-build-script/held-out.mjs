// Never seen by the change: builds and uses the result.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const copy = mkdtempSync(join(tmpdir(), "held-out-"));
cpSync(".", copy, { recursive: true });
process.chdir(copy);
process.on("exit", () => rmSync(copy, { recursive: true }));
const { status } = spawnSync("npm", ["run", "--silent", "build"], { timeout: 60_000 });
if (status !== 0 || !existsSync("dist/slug.mjs")) process.exit(1);
const { slugify } = await import(pathToFileURL("dist/slug.mjs").href);
const isIgnored = spawnSync("git", ["check-ignore", "-q", "dist/slug.mjs"]).status === 0;
process.exit(slugify("A b") === "a-b" && !readFileSync("dist/slug.mjs", "utf8").includes("/**") && isIgnored ? 0 : 1);
