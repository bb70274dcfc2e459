/** Checks that no agent sees, and the files that exist in the place only while they run. */
import { CONFIG_NAME, type Config } from "../../config/config.ts";
import { quote } from "../../base/words.ts";
import type { Check } from "./verification-plan.ts";

type Settings = Pick<Config["verification"], "held_out" | "held_out_output" | "timeout_slow_seconds">;

export function listHeldOutChecks({ held_out, held_out_output, timeout_slow_seconds }: Settings): readonly Check[] {
  return held_out.map(({ id, cmd, args, network = false }) => ({
    templateId: id,
    phase: "slow",
    cmd,
    args,
    timeoutSeconds: timeout_slow_seconds,
    stopCode: "STOP_VERIFY_FAILED_SLOW",
    network,
    heldOut: { isShared: held_out_output === "share" },
  }));
}

export interface HeldOutFile {
  /** Where it is put, from the root of the repository. */
  readonly path: string;
  /** As the configuration names it. */
  readonly source: string;
}

export function listHeldOutFiles({ held_out }: Pick<Settings, "held_out">): readonly HeldOutFile[] {
  return held_out.flatMap(({ files }) => Object.entries(files).map(([path, source]) => ({ path, source })));
}

/** One sentence for each problem that the configuration alone shows. */
export function findHeldOutProblems({ verification, workspace_dir }: Config): string[] {
  const templates = new Set(verification.templates.map(({ id }) => id));
  const files = listHeldOutFiles(verification);
  const owned = [workspace_dir, CONFIG_NAME];
  return [
    ...verification.held_out
      .filter(({ id }) => templates.has(id))
      .map(({ id }) => `verification.held_out: ${quote(id)} is also a template; choose another id.`),
    ...files
      .filter(({ path }) => !isPlain(path) || owned.some((folder) => `${path}/`.startsWith(`${folder}/`)))
      .map(({ path }) => `verification.held_out: no file can be put at ${quote(path)}; choose another path.`),
    ...files
      .filter(({ path, source }) => files.some((other) => other.path === path && other.source !== source))
      .map(({ path }) => `verification.held_out: two files are put at ${quote(path)}; choose another path.`),
  ];
}

function isPlain(path: string): boolean {
  return path.split("/").every((part) => part !== "" && part !== "." && part.toLowerCase() !== ".git");
}
