/**
 * Ticks with the real programs of the agents, against models that follow a script.
 *
 * The programs are no dependency of relais. They come from npm in exactly these versions, into a folder beside those of
 * other caches, and stay there for the next time; nothing of theirs is run while they are installed. A version that is
 * not there and cannot be fetched fails the suite, because nothing was tried then.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The only place that names the versions. */
const PROGRAMS = [
  { name: "claude", package: "@anthropic-ai/claude-code", version: "2.1.325" },
  { name: "codex", package: "@openai/codex", version: "0.166.0" },
] as const;
type Program = (typeof PROGRAMS)[number];

const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
const folder = join(cache, "relais", "agents");
const bin = join(folder, "bin");
if (!PROGRAMS.every(isThere)) installAll();
for (const program of PROGRAMS) console.log(`${program.name}: ${versionOf(program)}`);
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.agents.config.ts", ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...process.env, RELAIS_AGENTS_BIN: bin } },
);
process.exitCode = status ?? 1;

function isThere(program: Program): boolean {
  return existsSync(join(bin, program.name)) && versionOf(program).includes(program.version);
}

function versionOf({ name }: Program): string {
  const { stdout } = spawnSync(join(bin, name), ["--version"], { encoding: "utf8" });
  return (stdout ?? "").trim();
}

function installAll(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  const wanted = PROGRAMS.map((program) => `${program.package}@${program.version}`);
  console.log(`installing ${wanted.join(" and ")}`);
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-save", "--prefix", folder];
  execFileSync("npm", ["install", ...options, ...wanted], { cwd: folder, stdio: "inherit" });
  for (const program of PROGRAMS) symlinkSync(executableOf(program), join(bin, program.name));
  const missing = PROGRAMS.filter((program) => !isThere(program)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`${missing.join(", ")} cannot be started`);
}

/**
 * The file to start. Claude Code names a stub that its installation would replace by the program of this platform; as
 * nothing is run at installation, that program is taken where it lies.
 */
function executableOf({ name, package: packageName }: Program): string {
  const modules = join(folder, "node_modules");
  const scope = join(modules, packageName, "..");
  const native = readdirSync(scope)
    .map((one) => join(scope, one, name))
    .find((file) => existsSync(file));
  if (native !== undefined) return native;
  const { bin: declared }: { bin: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(modules, packageName, "package.json"), "utf8"),
  );
  return join(modules, packageName, declared[name] ?? "");
}
