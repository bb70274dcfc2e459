/**
 * The command line that starts a program in a sandbox of bubblewrap.
 *
 * Bubblewrap before 0.11 mounts no overlay, so a shell does it first, in a mount namespace of its own: a file system in
 * memory, and in it one overlay for each private folder. An ordinary user may mount only where it is uid 0, in a user
 * namespace; bubblewrap then maps it back. All programs are named by their paths: the PATH is that of the session.
 */
import { basename } from "node:path";
import { unreachable } from "../base/errors.ts";
import type { EnteringProgram } from "../process/enclosure.ts";
import { EMPTY_FOLDERS, type SandboxMount } from "./sandbox-mounts.ts";

export interface PrivateFolder {
  readonly path: string;
  /** Where what is written stays after the end, as folders `up` and `work` in `folder`; null is nowhere. */
  readonly kept: string | null;
}

export interface BubblewrapRequest {
  readonly programs: SandboxPrograms;
  /** The way into the namespaces of the place; empty where it has none. */
  readonly door: readonly string[];
  readonly user: { readonly uid: number; readonly gid: number };
  /** An empty folder `m` is in it, the folders of logins, and a link to each private folder (`nameLower`). */
  readonly folder: string;
  readonly privateFolders: readonly PrivateFolder[];
  readonly mounts: readonly SandboxMount[];
  readonly hasNetwork: boolean;
  /** Further arguments of bubblewrap. */
  readonly more: readonly string[];
  /** An argv in front of the program. */
  readonly before: readonly string[];
}

export interface SandboxPrograms {
  readonly bwrap: string;
  readonly unshare: string;
  readonly sh: string;
}

/** Bubblewrap watches from outside, and its second process is the first one inside. */
export const BUBBLEWRAP_PROCESSES = 2;

/**
 * What root keeps: to work with files and users as root does in a container. With `setfcap`, programs can make user
 * namespaces of their own, as the sandbox of codex does. Everything that reaches beyond the mounts is dropped.
 */
const ROOT_CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETFCAP"];

/** Root may write these without any capability, and bubblewrap leaves them writable. */
const KERNEL_SETTINGS = ["/proc/sys", "/proc/sysrq-trigger", "/proc/acpi", "/proc/fs", "/proc/mtrr", "/proc/scsi"];

/** Few programs, as each of them takes longer than a mount. Names of folders are in links, so none is quoted here. */
function writeScript(privateFolders: readonly PrivateFolder[], isRoot: boolean): string {
  const layers = privateFolders.map(({ kept }, index) => ({
    index,
    upper: kept === null ? String(index) : `../${basename(kept)}`,
  }));
  const made = layers.flatMap(({ index, upper }) => [`${index}/at`, `${upper}/up`, `${upper}/work`]);
  const mounts = layers.map(({ index, upper }) => {
    const options = `lowerdir=../${nameLower(index)},upperdir=${upper}/up,workdir=${upper}/work`;
    return `mount -t overlay -o ${options}${isRoot ? "" : ",userxattr"} overlay ${index}/at`;
  });
  return [
    "set -e",
    "own=$PATH",
    "PATH=/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin",
    'cd "$1/m"',
    "mount -t tmpfs -o mode=700 relais .",
    'cd "$1/m"',
    ": > empty",
    ...(made.length === 0 ? [] : [`mkdir -p ${made.join(" ")}`]),
    ...mounts,
    "PATH=$own",
    "shift",
    'exec "$@"',
  ].join("\n");
}

/** The link to the lower layer of a private folder, in the folder of the sandbox. */
export const nameLower = (index: number): string => `lower-${index}`;

const ROOT = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--cap-drop", "ALL"];
const ROOT_RIGHTS = ROOT_CAPABILITIES.flatMap((name) => ["--cap-add", `CAP_${name}`]);
const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"];
const TEMPORARY = ["--setenv", "TMPDIR", "/tmp", "--unsetenv", "TMP", "--unsetenv", "TEMP"];

export function listBubblewrapArgv(
  request: BubblewrapRequest,
  { file, args, cwd }: EnteringProgram,
): readonly [string, ...string[]] {
  const { programs, door, user, folder, privateFolders, mounts, hasNetwork } = request;
  const isRoot = user.uid === 0;
  const [first, ...rest] = [
    ...door,
    programs.unshare,
    isRoot || door.length > 0 ? "-m" : "-rm",
    "--",
    programs.sh,
    "-c",
    writeScript(privateFolders, isRoot),
    "relais",
    folder,
    programs.bwrap,
    ...ROOT,
    ...(isRoot ? KERNEL_SETTINGS.flatMap((path) => ["--ro-bind-try", path, path]) : []),
    ...EMPTY_FOLDERS.flatMap((path) => ["--perms", "1777", "--tmpfs", path]),
    ...mounts.flatMap((mount) => listMountArguments(mount, `${folder}/m`)),
    ...(isRoot ? ROOT_RIGHTS : ["--unshare-user", "--uid", String(user.uid), "--gid", String(user.gid)]),
    ...NAMESPACES,
    ...(hasNetwork ? [] : ["--unshare-net"]),
    ...TEMPORARY,
    ...request.more,
    "--chdir",
    cwd,
    "--",
    ...request.before,
    file,
    ...args,
  ];
  return [first ?? programs.unshare, ...rest];
}

function listMountArguments(mount: SandboxMount, own: string): readonly string[] {
  const { path } = mount;
  switch (mount.kind) {
    case "read-only":
      return ["--ro-bind", path, path];
    case "writable":
      return ["--bind", path, path];
    case "replaced":
      return ["--bind", mount.source, path];
    case "private":
      return ["--bind", `${own}/${mount.index}/at`, path];
    case "hidden-folder":
      return ["--perms", "0700", "--tmpfs", path];
    case "hidden-file":
      return ["--ro-bind", `${own}/empty`, path];
    default:
      return unreachable(mount);
  }
}
