/** Runs a driver as each of the users that there are. It prints one line of JSON for each of its results. */
import { spawn } from "node:child_process";
import { chownSync, cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { copyBuilt } from "./copy-built.ts";
import { readSandboxedPath } from "./without-sandbox.ts";

const NOBODY = 65_534;
const own = process.getuid?.() ?? -1;

export interface User {
  readonly name: string;
  readonly uid: number;
}

/** Root and an ordinary user where that can be chosen, else the present user. */
export const USERS: readonly User[] =
  own === 0
    ? [
        { name: "root", uid: 0 },
        { name: "an ordinary user", uid: NOBODY },
      ]
    : [{ name: "this user", uid: own }];

interface DriverRequest {
  /** The program, which is bundled first. */
  readonly driver: string;
  readonly executable: string;
  /** Further files that it needs, at the same path below its folder. */
  readonly files: readonly string[];
  /** Follow its folder and the executable. */
  readonly args: readonly string[];
  readonly user: User;
  readonly isSandboxed: boolean;
  /** Of the file system that it works on; the usual one for temporary files where it is not named. */
  readonly folder?: string | undefined;
  readonly onLine: (line: string) => void;
}

/** Runs it to its end, in a folder of that user's own. */
export async function runDriver(request: DriverRequest): Promise<void> {
  const { driver, executable, files, args, user } = request;
  const work = realpathSync(mkdtempSync(join(request.folder ?? tmpdir(), "relais-driver-")));
  try {
    for (const file of files) cpSync(resolve(file), join(work, file), { recursive: true });
    const copy = join(work, "relais-built", basename(executable));
    copyBuilt(executable, dirname(copy));
    const outfile = join(work, "driver.mjs");
    await bundle(driver, outfile);
    if (own === 0) chownSync(work, user.uid, user.uid);
    await follow([outfile, work, copy, ...args], work, request);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function bundle(driver: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [resolve(driver)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
}

async function follow(args: readonly string[], home: string, { user, isSandboxed, onLine }: DriverRequest) {
  const path = isSandboxed ? readSandboxedPath() : (process.env["PATH"] ?? "/usr/bin:/bin");
  const child = spawn(process.execPath, args, {
    ...(own === 0 ? { uid: user.uid, gid: user.uid } : {}),
    cwd: home,
    env: { PATH: path, HOME: home, TMPDIR: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  const status = await new Promise<number | null>((done, reject) => {
    child.on("error", reject);
    child.on("close", done);
  });
  if (status !== 0) throw new Error(`the driver ended with ${String(status)}`);
}
