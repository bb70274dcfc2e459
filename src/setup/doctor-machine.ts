import { type Config, makeDefaultConfig } from "../config/config.ts";
import type { Environment } from "../base/environment.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { type DoctorCheck, fail, ok, warn } from "../checks/pure/doctor-check.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { isAtLeast } from "../base/version-order.ts";
import { findOwnProgram } from "../system/find-program.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findSigningProblem } from "../keep/sign-settlement.ts";
import { probeTickSandbox } from "../place/tick-sandbox.ts";
import { GIT_WANTED, readGitVersion } from "../git/git-version.ts";

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
  readonly repository: Repository;
  /** Null where the configuration cannot be read. */
  readonly config: Config | null;
}

/** Starts a sandbox, as a tick would. */
export async function checkSandbox({ repository, config }: SandboxQuestion): Promise<DoctorCheck> {
  const probe = await probeTickSandbox({ repository, config: config ?? makeDefaultConfig() });
  const mode = config?.sandbox ?? "auto";
  const outcome = probe.kind === "works" ? "bubblewrap works" : probe.reason;
  if (mode === "off") return ok("sandbox", `off, as configured (${outcome})`);
  if (probe.kind === "works")
    return ok("sandbox", `bubblewrap works; network of agents: ${config?.network ?? "agent"}`);
  const message = `No sandbox (${outcome}): a builder can write outside the repository and use the network.`;
  return (mode === "required" ? fail : warn)("sandbox", { message, fix: probe.remedy });
}

/** Signs a text, as a tick would. No line without a key. */
export async function checkSigningKey(subject: {
  readonly repository: Repository;
  readonly config: Config;
}): Promise<readonly DoctorCheck[]> {
  const { sign: signingKey } = subject.config.journal;
  if (signingKey === null) return [];
  const message = await findSigningProblem(subject);
  if (message === null) return [ok("signing", `${signingKey} signs every settled tick`)];
  return [fail("signing", { message, fix: describeCause("BLOCKED_MISSING_CONFIG", "signing_key_unusable").remedy })];
}

export async function checkTmux(path: string, cwd: string): Promise<DoctorCheck> {
  const program = await findOwnProgram("tmux", { path, cwd });
  if (program !== null) return ok("tmux", program);
  return warn("tmux", {
    message: "tmux is not installed; only `relais campaign run --mode tmux` needs it.",
    fix: "Install tmux to use it.",
  });
}
