import type { Config } from "../../contract/config/config.ts";
import { type DoctorCheck, fail, ok, warn } from "../../core/setup/doctor-check.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { findStateDirectory } from "../../io/workspace/state-directory.ts";
import { chooseIsolation } from "../evidence/choose-isolation.ts";

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
    /unshare|Operation not permitted|EPERM|uid_map|setgroups/iu,
    "Allow user namespaces: on Ubuntu `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`, in Docker `--security-opt seccomp=unconfined` or `--cap-add SYS_ADMIN`.",
  ],
  [
    /wrong fs type|invalid argument|EINVAL|upperdir/iu,
    "The state directory lies where no overlay can be: set XDG_STATE_HOME to a folder on a volume or a local disk.",
  ],
  [/mounted in the worktree/u, "Unmount that, or keep working in place."],
  [/lies in the worktree/u, "Set XDG_STATE_HOME to a folder outside of the worktree."],
  [/not installed/u, "Install util-linux."],
];

function findIsolationRemedy(reason: string): string {
  return REMEDIES.find(([words]) => words.test(reason))?.[1] ?? "Without one, do not edit while a tick runs.";
}
