import { spawn } from "node:child_process";
import type { Environment } from "../base/environment.ts";
import { noteProcess } from "../system/process-notes.ts";
import { findOwnProgram } from "../system/find-program.ts";

interface BrowserRequest {
  readonly url: string;
  readonly cwd: string;
  readonly environment: Environment;
}

/** Opens an address in the person's browser; false where there is no way to. */
export async function openBrowser({ url, cwd, environment }: BrowserRequest): Promise<boolean> {
  const name = process.platform === "darwin" ? "open" : "xdg-open";
  const hasScreen = process.platform === "darwin" || HAS_SCREEN.some((key) => (environment[key] ?? "") !== "");
  const program = hasScreen ? await findOwnProgram(name, { path: environment["PATH"] ?? "", cwd }) : null;
  if (program === null) return false;
  const child = spawn(program, [url], { cwd: "/", env: environment, detached: true, stdio: "ignore" });
  noteProcess({ child, argv: [program, url], env: environment, isApart: true });
  child.unref();
  return new Promise((resolve) => {
    child.once("error", () => resolve(false)).once("spawn", () => resolve(true));
  });
}

const HAS_SCREEN = ["DISPLAY", "WAYLAND_DISPLAY"];
