import { spawn } from "node:child_process";
import type { Environment } from "../base/environment.ts";
import { noteProcess } from "../system/process-notes.ts";
import { dropInsideFolders } from "../system/outside-repository.ts";

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
