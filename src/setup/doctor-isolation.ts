import type { Config } from "../config/config.ts";
import { type DoctorCheck, fail, ok, warn } from "../checks/pure/doctor-check.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findStateDirectory } from "../journal/state-directory.ts";
import { chooseIsolation } from "../place/choose-isolation.ts";

interface IsolationSetting {
  readonly isolation: Config["isolation"];
  readonly repository: Repository;
}

/** Where the work happens, and why not in a better place. */
export async function checkIsolationMode({ isolation: wanted, repository }: IsolationSetting): Promise<DoctorCheck> {
  const state = findStateDirectory(repository, repository.environment);
  const question = { isolation: wanted, repository, stateDirectory: state.path };
  const { isolation, refusals } = await chooseIsolation(question);
  const { overlay, clone } = refusals;
  const reason = overlay ?? clone;
  if (isolation === null)
    return fail("isolation", {
      message: `\`isolation\` is ${wanted}, which does not work here: ${reason ?? "unknown"}.`,
      fix: `${findIsolationRemedy(reason ?? "")} Or set \`isolation\` to "auto".`,
    });
  if (reason === undefined) return ok("isolation", isolation === "in_place" ? "in place, as configured" : isolation);
  return isolation === "clone" ? reportClone(reason) : reportInPlace(reason, clone);
}

/** Overlays exist on Linux only, so there is nothing to fix elsewhere. */
function reportClone(reason: string): DoctorCheck {
  if (process.platform !== "linux") return ok("isolation", `clone: ${reason}`);
  const message = `clone, which copies the worktree for each tick: no overlay works here (${reason}).`;
  return warn("isolation", { message, fix: findIsolationRemedy(reason) });
}

function reportInPlace(overlay: string, clone = "unknown"): DoctorCheck {
  const message = `in place: no overlay works here (${overlay}), and no clone (${clone}).`;
  return warn("isolation", { message, fix: findIsolationRemedy(overlay) });
}

/** What helps against the known refusals, by the words of the system. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /uid_map|setgroups|filesystem propagation/iu,
    "Ubuntu restricts user namespaces: `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or run relais as root.",
  ],
  [
    /No space left on device/iu,
    "User namespaces are switched off: `sudo sysctl user.max_user_namespaces=10000`, or run relais as root.",
  ],
  [
    /unshare|Operation not permitted|EPERM|permission denied/iu,
    "A container refuses namespaces: start it with `--security-opt seccomp=unconfined` and `--cap-add SYS_ADMIN`, or run relais outside.",
  ],
  [
    /wrong fs type|invalid argument|EINVAL|upperdir/iu,
    "The state directory lies where no overlay can be, for example on another overlay in a container: set XDG_STATE_HOME to a folder on a volume or a local disk. As root, fuse-overlayfs helps too.",
  ],
  [/mounted in the worktree/u, "Unmount that, or keep working in place."],
  [/lies in the worktree/u, "Set XDG_STATE_HOME to a folder outside of the worktree."],
  [/not installed/u, "Install util-linux."],
  [/virtual environment|^the link|git data elsewhere/u, "An overlay has the path of the worktree, and copies nothing."],
];

function findIsolationRemedy(reason: string): string {
  return REMEDIES.find(([words]) => words.test(reason))?.[1] ?? "In place, do not edit while a tick runs.";
}
