import type { Config } from "../../contract/config/config.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { type DoctorCheck, fail, ok, warn } from "../../core/setup/doctor-check.ts";
import { isAtLeast } from "../../core/words/version-order.ts";
import { findOwnProgram } from "../../io/machine/find-program.ts";
import { GIT_WANTED, readGitVersion } from "../../io/git/git-version.ts";

const NODE_WANTED = [20, 19];

export async function checkGit(cwd: string, environment: Environment): Promise<DoctorCheck> {
  try {
    const version = await readGitVersion(cwd, environment);
    if (isAtLeast(version, GIT_WANTED)) return ok("git", version);
    return fail("git", {
      message: `${version} is too old.`,
      fix: `Install git ${GIT_WANTED.join(".")} or later.`,
    });
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    return fail("git", {
      message: `git cannot be run: ${error.detail}.`,
      fix: `Install git ${GIT_WANTED.join(".")} or later and make sure that it is on the PATH.`,
    });
  }
}

export function checkNode(version: string): DoctorCheck {
  const wanted = NODE_WANTED.join(".");
  if (isAtLeast(version, NODE_WANTED)) return ok("node", version);
  return fail("node", { message: `node ${version} is too old.`, fix: `Install node ${wanted} or later.` });
}

interface SandboxQuestion {
  readonly path: string;
  readonly cwd: string;
  /** Null where the configuration cannot be read. */
  readonly sandbox: Config["sandbox"] | null;
}

/** There is no sandbox yet. */
export async function checkSandbox({ path, cwd, sandbox }: SandboxQuestion): Promise<DoctorCheck> {
  const bubblewrap = await findOwnProgram("bwrap", { path, cwd });
  const present = bubblewrap === null ? "bubblewrap is not installed" : `bubblewrap is at ${bubblewrap}`;
  if (sandbox === "off") return ok("sandbox", `off, as configured (${present})`);
  const message = `No sandbox yet (${present}): a builder can write outside the repository.`;
  if (sandbox === "required")
    return fail("sandbox", {
      message,
      fix: 'Set `sandbox` to "auto" or "off", or wait for a version with a sandbox.',
    });
  return warn("sandbox", {
    message,
    fix: "If that matters, run relais in a container or as a separate user.",
  });
}

export async function checkTmux(path: string, cwd: string): Promise<DoctorCheck> {
  const program = await findOwnProgram("tmux", { path, cwd });
  if (program !== null) return ok("tmux", program);
  return warn("tmux", {
    message: "tmux is not installed; only `relais campaign run --mode tmux` needs it.",
    fix: "Install tmux to use it.",
  });
}
