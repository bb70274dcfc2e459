/** Builds the executable once for all test files, with the script that builds the one that ships. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, type BuildOptions } from "esbuild";
import type { TestProject } from "vitest/node";
import { importBuildersInto } from "../../scripts/drill-text.mjs";
import { importPageInto } from "../../scripts/page-text.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the built executable and of the licences that go with it. */
    readonly built: string;
  }
}

const root = resolve(import.meta.dirname, "../..");
let folder: string | undefined;
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** The same without a process around it, for `in-process.ts`: loaded in a twentieth of the time that the sources take. */
const LIBRARY: BuildOptions = {
  absWorkingDir: root,
  entryPoints: ["src/cli/main.ts"],
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  define: { RELAIS_VERSION: JSON.stringify(version) },
  plugins: [importPageInto, importBuildersInto],
  logLevel: "warning",
};

/** A folder of its own, because somebody may build again while the tests run. */
export async function setup(project: TestProject): Promise<void> {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), "relais-built-"));
    chmodSync(folder, 0o755); // Some tests run it as another user.
    execFileSync(process.execPath, [join(root, "scripts/build.mjs"), folder], { stdio: "inherit" });
    await build({ ...LIBRARY, outfile: join(folder, "main.cjs") });
  }
  project.provide("built", folder);
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
