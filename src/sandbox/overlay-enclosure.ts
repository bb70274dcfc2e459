import type { Enclosure } from "../process/enclosure.ts";
import type { MountHolder } from "./mount-holder.ts";

const UNSHARE = "/usr/bin/unshare";
const SETPRIV = "/usr/bin/setpriv";
/**
 * With these, a program of root could unmount the overlay, or reach the worktree through a process outside, by the number
 * of an inode, or by a device of its own for the disk.
 */
const RIGHTS = "-sys_admin,-sys_ptrace,-dac_read_search,-mknod";
/** The folder is named anew inside, because it is another one there. */
const ENTER = 'cd -- "$0" && exec "$@"';

/** Programs in the namespace of a holder, without any rights over it. */
export function encloseInOverlay({ door, view }: MountHolder): Enclosure {
  return {
    view,
    door,
    enter: ({ file, args, cwd }) => [...door(), ...mapBack(), "/bin/sh", "-c", ENTER, cwd, file, ...args],
  };
}

/** An ordinary user is root in the namespace of the mounts, and is itself again in one below. Root stays root. */
function mapBack(): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  if (uid === 0) return [SETPRIV, "--bounding-set", RIGHTS, "--inh-caps", RIGHTS, "--"];
  return [UNSHARE, "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--"];
}
