import { spawn } from "node:child_process";
import type { Environment } from "../base/environment.ts";
import { noteProcess } from "../system/process-notes.ts";
import { dropInsideFolders } from "../system/outside-repository.ts";
import { findOwnProgram } from "../system/find-program.ts";

interface PagerRequest {
  /** What a shell is to run. */
  readonly command: string;
  readonly text: string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

const NOT_FOUND = 127;

/** Shows text by a program on this terminal until the person leaves it; false where the program does not exist. */
export async function runPager({ command, text, cwd, environment, signal }: PagerRequest): Promise<boolean> {
  const child = spawn("/bin/sh", ["-c", command], {
    cwd,
    env: { ...environment, PATH: dropInsideFolders(environment["PATH"] ?? "", cwd) },
    stdio: ["pipe", "inherit", "inherit"],
    signal,
  });
  noteProcess({ child, argv: ["/bin/sh", "-c", command], env: environment });
  // A person who has seen enough does not wait for the rest.
  child.stdin.on("error", () => {});
  child.stdin.end(text);
  const status = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(signal.aborted ? 0 : NOT_FOUND));
    child.once("close", resolve);
  });
  return status !== NOT_FOUND;
}

interface EditorRequest {
  /** What a shell is to run, with the files behind it. */
  readonly command: string;
  readonly files: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Opens files in a program on this terminal until the person leaves it; false if it failed. */
export async function runEditor({ command, files, cwd, environment, signal }: EditorRequest): Promise<boolean> {
  const child = spawn("/bin/sh", ["-c", `${command} "$@"`, "editor", ...files], {
    cwd,
    env: { ...environment, PATH: dropInsideFolders(environment["PATH"] ?? "", cwd) },
    stdio: "inherit",
    signal,
  });
  noteProcess({ child, argv: ["/bin/sh", "-c", command, ...files], env: environment });
  const status = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  return status === 0;
}

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
