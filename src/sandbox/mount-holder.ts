import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { noteProcess } from "../system/process-notes.ts";
import { nameMarkerVariable } from "../system/child-environment.ts";
import { join } from "node:path";
import { describeError } from "../base/errors.ts";
import { beginOwnName } from "../system/own-folders.ts";
import { removeTree } from "../system/remove-files.ts";
import { makeLayers } from "./place-folder.ts";

/**
 * A process that holds a mount namespace of its own, with an overlay over the worktree.
 *
 * The overlay lies at the path of the worktree, so that a program inside sees nothing unusual; the worktree itself is
 * out of its reach by that path. Mounts exist only in the namespace, which ends with its last process: the holder ends
 * when its standard input closes, so a killed relais leaves no mount behind.
 */

export interface MountHolder {
  readonly kind: "holder";
  /** A path of the inside, as this process reaches it. */
  readonly view: (path: string) => string;
  /** The beginning of an argv that continues inside, with the rights over the namespace. */
  readonly door: () => readonly [string, ...string[]];
  readonly isAlive: () => boolean;
  readonly close: () => Promise<void>;
}

/** Why nothing can be mounted here, in the words of the system. */
export interface MountRefusal {
  readonly kind: "refused";
  readonly reason: string;
}

export interface HolderRequest {
  /** The worktree; the overlay is mounted over it. */
  readonly worktree: string;
  /** A folder with the empty folder `work`, with `upper`, and with `lower`, a link to the worktree. */
  readonly layers: string;
  /** Folders that are read-only inside: git's own data. */
  readonly readOnly: readonly string[];
  /** Found by a recovery. */
  readonly marker: string;
}

/**
 * Each program that mounts something takes longer to start than to mount, so there are few. The link to the lower layer
 * is followed before the overlay lies over it; from then on it leads to the overlay, too. What the kernel mounted goes
 * with the namespace; a program that mounts ends only when its mount is gone.
 */
const HOLD = `
worktree="$2"
means="$3"
layers="lowerdir=lower,upperdir=upper,workdir=work"
cd "$1" || exit 1
case "$means" in
  */*) "$means" -o "$layers" "$worktree" || exit 1 ;;
  *) mount -t overlay relais -o "$layers,$means" "$worktree" || exit 1 ;;
esac
shift 3
for folder; do
  mount --bind "$folder" "$folder" && mount -o remount,bind,ro "$folder" || exit 1
done
echo ready
read -r end
case "$means" in */*) umount -l "$worktree" ;; esac
`;

const UNSHARE = ["/usr/bin/unshare", "/bin/unshare"];
const NSENTER = ["/usr/bin/nsenter", "/bin/nsenter"];
/** Where the kernel refuses, as for an upper layer that itself lies on an overlay. */
const FUSE = "/usr/bin/fuse-overlayfs";
const CLOSE_MS = 2_000;
const SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin";
const isRoot = (): boolean => process.getuid?.() === 0;

/** Every change is a whole copy in the upper layer, and none is described by a mark that only the kernel reads. */
const OPTIONS_OF_ROOT = "redirect_dir=off,metacopy=off,index=off";
const OPTIONS_OF_USER = "userxattr";

/**
 * By the kernel, or else by a program. What an ordinary user mounts by a program is closed to everything outside of its
 * namespace, and that is where relais looks from.
 */
export async function openMountHolder(request: HolderRequest): Promise<MountHolder | MountRefusal> {
  const opened = await startHolder(request, isRoot() ? OPTIONS_OF_ROOT : OPTIONS_OF_USER);
  if (opened.kind === "holder" || !isRoot() || !existsSync(FUSE)) return opened;
  const other = await startHolder(request, FUSE);
  return other.kind === "holder" ? other : opened;
}

/** `means` are the options of a mount by the kernel, or the path of a program. */
async function startHolder(request: HolderRequest, means: string): Promise<MountHolder | MountRefusal> {
  const { worktree, layers, readOnly, marker } = request;
  const unshare = UNSHARE.find((path) => existsSync(path));
  const nsenter = NSENTER.find((path) => existsSync(path));
  if (unshare === undefined || nsenter === undefined) return refuse("`unshare` and `nsenter` are not installed");
  const argv = ["--mount", ...(isRoot() ? [] : ["--map-root-user"]), "--", "/bin/sh", "-c", HOLD, "sh"];
  const args = [...argv, layers, worktree, means, ...readOnly];
  const own = { PATH: SYSTEM_PATH, LC_ALL: "C" };
  const env = { ...own, ...nameMarkerVariable(own, [marker]) };
  // In a session of its own: Ctrl-C in the terminal is not for it.
  const child = spawn(unshare, args, { cwd: "/", env, detached: true, stdio: "pipe" });
  noteProcess({ child, argv: [unshare, ...args], env });
  const refusal = await awaitReady(child);
  return refusal === null ? makeHolder(child, nsenter) : refuse(refusal);
}

const refuse = (reason: string): MountRefusal => ({ kind: "refused", reason });

/** Null once everything is mounted, else what it printed. */
function awaitReady(child: ChildProcess): Promise<string | null> {
  let said = "";
  return new Promise((resolve) => {
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
    child.stdin?.on("error", () => {}); // It ended before it read anything.
    child.once("error", (error) => resolve(error.message));
    child.once("close", () => resolve(said.trim() === "" ? "it ended without a word" : said.trim()));
    child.stdout?.on("data", (chunk: Buffer) => {
      if (chunk.toString("utf8").startsWith("ready")) resolve(null);
    });
  });
}

function makeHolder(child: ChildProcess, nsenter: string): MountHolder {
  const { pid } = child;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    kind: "holder",
    view: (path) => `/proc/${pid}/root${path}`,
    door: () => {
      const user = isRoot() ? [] : ["--user", "--preserve-credentials"];
      return [nsenter, "--target", String(pid), "--mount", ...user, "--"];
    },
    isAlive,
    close: async () => {
      child.stdin?.destroy();
      const timer = setTimeout(() => child.kill("SIGKILL"), CLOSE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

const answers = new Map<number, Promise<string | null>>();

/**
 * Whether an overlay works below a folder: it is mounted, a file and a folder are removed in it, and the folder is made
 * again. Null where it works, else why not. Tried once in a process for each file system, because a version says little;
 * elsewhere if the folder is not made yet.
 */
export function tryOverlay(folder: string): Promise<string | null> {
  if (process.platform !== "linux") return Promise.resolve("overlays exist on Linux only");
  const place = existsSync(folder) ? folder : "/tmp";
  const { dev } = statSync(place);
  const known = answers.get(dev) ?? mountAndChange(place);
  answers.set(dev, known);
  return known;
}

async function mountAndChange(place: string): Promise<string | null> {
  const layers = mkdtempSync(join(place, beginOwnName()));
  try {
    const worktree = join(layers, "worktree");
    mkdirSync(join(worktree, "folder"), { recursive: true });
    for (const name of ["file", "folder/file"]) writeFileSync(join(worktree, name), "");
    makeLayers(layers, worktree);
    const holder = await openMountHolder({ worktree, layers, readOnly: [], marker: "overlay-test" });
    if (holder.kind === "refused") return holder.reason;
    try {
      return isChanged(holder.view(worktree)) && readdirSync(worktree).length === 2 ? null : "its marks do not work";
    } finally {
      await holder.close();
    }
  } catch (error) {
    return describeError(error);
  } finally {
    removeTree(Buffer.from(layers));
  }
}

function isChanged(merged: string): boolean {
  unlinkSync(join(merged, "file"));
  unlinkSync(join(merged, "folder/file"));
  rmdirSync(join(merged, "folder"));
  mkdirSync(join(merged, "folder"));
  return readdirSync(merged).join() === "folder" && readdirSync(join(merged, "folder")).length === 0;
}
