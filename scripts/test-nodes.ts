/**
 * Installs the package and goes through its commands with other versions of Node: the oldest one supported, the later
 * lines, and two that are too old and have to say so. The versions come from npm as ordinary packages; where that is
 * out of reach, the reason is printed and nothing counts as tried.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { goodWalk, install, pack, walkThrough } from "../test/support/installed.ts";

const SUPPORTED = ["20.19.0", "22", "24"];
const TOO_OLD = ["12", "18"];
const BLOCKED_STATUS = 11;

const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = mkdtempSync(join(tmpdir(), "relais-nodes-"));
let failures = 0;
try {
  const place = join(folder, "installed");
  const built = join(folder, "built");
  execFileSync(process.execPath, ["scripts/build.mjs", built]);
  install(pack(resolve("."), built, folder), place);
  const program = join(place, "node_modules/.bin/relais");
  for (const node of SUPPORTED) tell(node, (nodeFolder) => worksWith(program, nodeFolder, place));
  for (const node of TOO_OLD) tell(node, (nodeFolder) => refusedBy(program, nodeFolder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

function tell(node: string, problemWith: (nodeFolder: string) => string | null): void {
  const fetched = fetchNode(node);
  if (fetched.kind === "unreachable") return console.log(`Node ${node}: not tried, ${fetched.reason}`);
  const problem = problemWith(fetched.nodeFolder);
  console.log(`Node ${node}: ${problem ?? "as it should be"}`);
  if (problem !== null) failures += 1;
}

type Fetched =
  { readonly kind: "fetched"; readonly nodeFolder: string } | { readonly kind: "unreachable"; readonly reason: string };

function fetchNode(node: string): Fetched {
  const home = join(folder, `node-${node}`);
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(home);
  try {
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", home, `${name}@${node}`];
    execFileSync("npm", args, { cwd: home, stdio: "pipe" });
  } catch (error) {
    const [reason = ""] = /npm error .*/.exec(String(error)) ?? [];
    return { kind: "unreachable", reason: `${name}@${node} could not be fetched (${reason})` };
  }
  return { kind: "fetched", nodeFolder: join(home, "node_modules", name, "bin") };
}

function worksWith(program: string, nodeFolder: string, place: string): string | null {
  const walk = walkThrough({ command: [program], nodeFolder }, place);
  return isDeepStrictEqual(walk, goodWalk(version)) ? null : `went wrong: ${JSON.stringify(walk)}`;
}

function refusedBy(program: string, nodeFolder: string): string | null {
  const options = { encoding: "utf8", env: { PATH: `${nodeFolder}:/usr/bin:/bin` } } as const;
  const { status, stderr } = spawnSync(program, ["--version"], options);
  const isOneSentence = /^relais needs Node [\d.]+ or later, and this is Node [\d.]+\.\n$/.test(stderr);
  return isOneSentence && status === BLOCKED_STATUS ? null : `answered ${status}: ${stderr.slice(0, 500)}`;
}
