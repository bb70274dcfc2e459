import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { gitEnvironment } from "./repositories.ts";

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly uid?: number;
}

const folder = mkdtempSync(join(tmpdir(), "relais-bundle-"));
chmodSync(folder, 0o755); // Some tests run it as another user.

/** The executable as the build makes it, from the sources as they are now. */
export const executable = join(folder, "relais.cjs");

/** Builds the executable before the tests of a file and removes it afterwards. */
export function useExecutable(): void {
  beforeAll(async () => {
    await build({
      entryPoints: [join(import.meta.dirname, "../../src/bin.ts")],
      outfile: executable,
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node20.19",
      define: { RELAIS_VERSION: JSON.stringify("1.2.3") },
      banner: { js: "#!/usr/bin/env node" },
      logLevel: "warning",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** Runs relais as a process of its own and answers with everything that a shell would see of it. */
export function relais(args: readonly string[], { cwd, env = {}, uid }: RunOptions): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...args], {
    cwd,
    env: { ...gitEnvironment(cwd), TMPDIR: process.env["TMPDIR"], ...env },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  return { status, stdout: withoutIds(stdout), stderr: withoutIds(stderr) };
}

/** Commit ids differ from run to run; what stands around them must not. */
function withoutIds(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{40}\b/g, "<id>").replaceAll(/\b[0-9a-f]{12}\b/g, "<id>");
}
