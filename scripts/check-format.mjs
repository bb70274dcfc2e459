/**
 * Prettier decides how files look, but takes 20 seconds for all of them. oxfmt agrees with it on nearly every file and
 * takes one, so Prettier is asked only about the files that oxfmt would write in another way.
 */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const run = (tool, ...args) =>
  spawnSync(join(root, "node_modules/.bin", tool), args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });

const { status, stdout, stderr } = run("oxfmt", "--list-different", ".");
const doubted = stdout.split("\n").filter((line) => line !== "");
if (status !== 0 && doubted.length === 0) throw new Error(`oxfmt failed with status ${status}: ${stderr}`);
if (doubted.length > 0) {
  const checked = run("prettier", "--check", "--log-level", "warn", ...doubted);
  process.stdout.write(checked.stdout + checked.stderr);
  process.exitCode = checked.status ?? 1;
}
