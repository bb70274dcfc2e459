import { spawn } from "node:child_process";
import type { Environment } from "../base/environment.ts";
import { noteProcess } from "../system/process-notes.ts";
import { dropInsideFolders } from "../system/outside-repository.ts";

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
