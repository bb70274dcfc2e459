/** Starts the driver as each of the users that there are, and gathers what it tells. */
import { spawn } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { readSandboxedPath } from "../support/without-sandbox.ts";
import type { Builder } from "./builder.ts";
import type { HostileReport } from "./driver.ts";
import type { Setting } from "./setting.ts";

const NOBODY = 65_534;
const own = process.getuid?.() ?? -1;

export interface User {
  readonly name: string;
  readonly uid: number;
}

/** Root and an ordinary user where that can be chosen, else whoever this is. */
export const USERS: readonly User[] =
  own === 0
    ? [
        { name: "root", uid: 0 },
        { name: "an ordinary user", uid: NOBODY },
      ]
    : [{ name: "this user", uid: own }];

interface Outing {
  readonly executable: string;
  readonly builders: readonly Builder[];
  readonly user: User;
  readonly setting: Setting;
  /** Of the file system that they work on; the usual one for temporary files where it is not named. */
  readonly folder?: string;
  readonly onReport?: (report: HostileReport) => void;
}

/** Lets the builders loose, in a folder of that user's own. */
export async function letLoose(outing: Outing): Promise<ReadonlyMap<string, HostileReport>> {
  const { executable, builders, user, setting } = outing;
  const work = realpathSync(mkdtempSync(join(outing.folder ?? tmpdir(), "relais-hostile-")));
  try {
    cpSync(resolve("test/hostile/builders"), join(work, "builders"), { recursive: true });
    copyFileSync(executable, join(work, "relais.cjs"));
    chmodSync(join(work, "relais.cjs"), 0o755);
    const driver = join(work, "driver.mjs");
    await bundle(driver);
    if (own === 0) chownSync(work, user.uid, user.uid);
    const ids = builders.map(({ id }) => id).join(",");
    const args = [driver, work, join(work, "relais.cjs"), ids, setting.isolation, setting.sandbox];
    return await gather(args, work, outing);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function bundle(outfile: string): Promise<void> {
  await build({
    entryPoints: [resolve("test/hostile/driver.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
}

async function gather(args: readonly string[], home: string, { user, onReport, setting }: Outing) {
  const path = setting.sandbox === "off" ? (process.env["PATH"] ?? "/usr/bin:/bin") : readSandboxedPath();
  const child = spawn(process.execPath, args, {
    ...(own === 0 ? { uid: user.uid, gid: user.uid } : {}),
    cwd: home,
    env: { PATH: path, HOME: home, TMPDIR: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const reports = new Map<string, HostileReport>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const report: HostileReport = JSON.parse(line);
      reports.set(report.id, report);
      onReport?.(report);
    }
  });
  const status = await new Promise<number | null>((done, reject) => {
    child.on("error", reject);
    child.on("close", done);
  });
  if (status !== 0) throw new Error(`the driver ended with ${String(status)}`);
  return reports;
}
