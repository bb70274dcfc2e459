import { join } from "node:path";
import type { VerificationRun } from "../records/report.ts";
import type { InstallCommand } from "./pure/install-commands.ts";
import type { Check } from "./pure/verification-plan.ts";
import { isFolder } from "../system/is-folder.ts";
import { readClockMs } from "../system/clock.ts";
import { type CheckContext, describeRun, findFailure, missesNetwork, runWatched } from "./run-check.ts";

export type InstallEnd =
  | { readonly kind: "installed"; readonly ms: number }
  /** The network or the program is missing, so nothing is known. */
  | { readonly kind: "impossible"; readonly note: string }
  /** The lockfile is not one that can be installed. */
  | { readonly kind: "failed"; readonly run: VerificationRun };

/** Makes dependencies anew in the place, from their lockfiles, with the network. A folder that is not there is not made. */
export async function installAnew(context: CheckContext, commands: readonly InstallCommand[]): Promise<InstallEnd> {
  let ms = 0;
  for (const command of commands) {
    if (!isFolder(join(context.place.tree, command.makes))) continue;
    const end = await installOne(context, command);
    if (end.kind !== "installed") return end;
    ms += end.ms;
  }
  return { kind: "installed", ms };
}

async function installOne(context: CheckContext, { cmd, args }: InstallCommand): Promise<InstallEnd> {
  const timeoutSeconds = context.config.verification.timeout_slow_seconds;
  const own = { templateId: "install", phase: "fast", stopCode: "STOP_VERIFY_FAILED_FAST" } as const;
  const check: Check = { ...own, cmd, args, network: true, timeoutSeconds };
  const remainingMs = context.deadlineAt - readClockMs();
  const { end } = await runWatched(context, check, Math.min(timeoutSeconds * 1000, remainingMs));
  const failure = findFailure(end);
  if (failure === null) return { kind: "installed", ms: Math.round(end.durationMs) };
  if (end.kind === "exited" && !missesNetwork(end)) return { kind: "failed", run: describeRun(check, end, false) };
  const why = missesNetwork(end) ? "there is no network" : failure;
  const command = [cmd, ...args].join(" ");
  return {
    kind: "impossible",
    note: `The checks ran with the dependencies of the builder: \`${command}\` could not run (${why}).`,
  };
}
