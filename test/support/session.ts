import { tmpdir } from "node:os";
import type { SuperviseRequest } from "../../src/process/supervise.ts";

/** A session with generous limits, to be narrowed by what a test is about. */
export function session(request: Partial<SuperviseRequest> & Pick<SuperviseRequest, "program">): SuperviseRequest {
  return {
    args: [],
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] ?? "" },
    input: null,
    deadlineMs: 50_000,
    log: null,
    stdoutBytesMax: 1_000_000,
    stderrBytesMax: 1_000_000,
    ...request,
  };
}

/** A session of a shell script; `args` are its `$1`, `$2` and so on. */
export function script(text: string, request: Partial<SuperviseRequest> = {}): SuperviseRequest {
  const args = ["-c", text, "sh", ...(request.args ?? [])];
  return session({ ...request, program: "sh", args });
}
