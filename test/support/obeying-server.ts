/**
 * A program of the same user that ran before the tick and runs what it is asked to, as a tmux server or a systemd user
 * service does.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const SERVE = 'while :; do while read -r line; do sh -c "$line" & done < "$1"; done';

/** Answers with the pipe that takes its commands, one a line. */
export function startObeyingServer(): string {
  const folder = mkdtempSync(join(tmpdir(), "relais-server-"));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const server = spawn("sh", ["-c", SERVE, "sh", pipe], { detached: true, stdio: "ignore" });
  onTestFinished(() => {
    // It and all that it started are one group.
    if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
    rmSync(folder, { recursive: true });
  });
  return pipe;
}
