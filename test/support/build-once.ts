/** Builds the executable once for all test files, with the script that builds the one that ships. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the built executable and of the licences that go with it. */
    readonly built: string;
  }
}

const root = resolve(import.meta.dirname, "../..");
let folder: string | undefined;

/** A folder of its own, because somebody may build again while the tests run. */
export function setup(project: TestProject): void {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), "relais-built-"));
    chmodSync(folder, 0o755); // Some tests run it as another user.
    const build = (script: string, target: string): void =>
      void execFileSync(process.execPath, [join(root, "scripts", script), target], { stdio: "inherit" });
    build("build.mjs", folder);
    build("build-library.mjs", join(folder, "main.cjs")); // For `in-process.ts`.
  }
  project.provide("built", folder);
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
