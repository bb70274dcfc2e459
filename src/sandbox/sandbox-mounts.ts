import {
  copyFileSync,
  type Dirent,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
  lstatSync,
  readFileSync,
} from "node:fs";
import { join, dirname, isAbsolute } from "node:path";
import type { Environment } from "../base/environment.ts";
import { locateUserFolder } from "../system/user-folder.ts";
import { resolveReal } from "../system/outside-repository.ts";
import { withHome } from "../system/with-home.ts";

/**
 * A private copy of a folder that cannot be an overlay.
 *
 * An ordinary user cannot lay an overlay over a folder that has something mounted in it. So the folder is made anew: with
 * copies of its small files, an overlay for each folder in it, and read-only what holds a mount or is too large to copy.
 */

export interface SplitFolder {
  readonly path: string;
  /** The folder to show in its place. */
  readonly source: string;
  readonly overlays: readonly string[];
  readonly readOnly: readonly string[];
}

const COPIED_BYTES_MAX = 4 * 1024 * 1024;

/** Whether the folder has a mount in it that an ordinary user cannot leave out. */
export function hasMounts(folder: string, mountPoints: readonly string[]): boolean {
  return process.getuid?.() !== 0 && mountPoints.some((point) => point !== folder && isWithin(point, folder));
}

/** Makes the folder anew at `source`, which must not exist. */
export function splitFolder(path: string, source: string, mountPoints: readonly string[]): SplitFolder {
  mkdirSync(source, { mode: 0o700 });
  const overlays: string[] = [];
  const readOnly: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    const kind = remake(entry, inner, join(source, entry.name));
    if (kind === "folder" && !isWithinAny(inner, mountPoints)) overlays.push(inner);
    else if (kind !== "done") readOnly.push(inner);
  }
  return { path, source, overlays, readOnly };
}

const isWithinAny = (folder: string, points: readonly string[]): boolean =>
  points.some((point) => isWithin(point, folder));

/** Sockets and the like are left out, and so is what may not be read. */
function remake(entry: Dirent, from: string, to: string): "folder" | "large" | "done" {
  try {
    if (entry.isDirectory()) {
      mkdirSync(to, { mode: 0o700 });
      return "folder";
    }
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    if (!entry.isFile()) return "done";
    if (statSync(from).size > COPIED_BYTES_MAX) {
      writeFileSync(to, "");
      return "large";
    }
    copyFileSync(from, to);
  } catch {
    return "done";
  }
  return "done";
}

/**
 * What programs in a sandbox see of this machine's files: everything, read-only, with these exceptions.
 *
 * - Writable: the place of the tick, the drop folder of the session, and private folders, which are dropped at the end:
 *   those for temporary files, HOME, and the folders of toolchains and agents that variables name.
 * - Hidden: the state directory of relais, the person's own settings and keys for it, sockets and temporary files of other
 *   programs, and the configured secrets.
 * - Read-only inside the place: git's data, the workspace, the configuration.
 *
 * The order counts: a later mount covers an earlier one.
 */

export type SandboxMount =
  | { readonly kind: "read-only" | "writable"; readonly path: string }
  /** The private folder of this number. */
  | { readonly kind: "private"; readonly path: string; readonly index: number }
  /** Another folder in its place. */
  | { readonly kind: "replaced"; readonly path: string; readonly source: string }
  | { readonly kind: "hidden-folder" | "hidden-file"; readonly path: string };

export interface SandboxPlace {
  /** The worktree of the tick, as its programs see it. */
  readonly cwd: string;
  /** As this process reaches a path of the place. */
  readonly view: (path: string) => string;
  readonly repository: { readonly root: string; readonly gitDir: string; readonly commonDir: string };
  /** Entries of the place that stay read-only, relative to it. */
  readonly owned: readonly string[];
  /** The folder of the place where each session has its drop folder; relative to the place. */
  readonly dropRoot: string;
  /** The drop folder of this session; null where it has none. */
  readonly drop: string | null;
}

export interface MountRequest {
  readonly place: SandboxPlace;
  /** Of the person. */
  readonly environment: Environment;
  /** Absolute, or with `~/` at the beginning. */
  readonly hidden: readonly string[];
  /** The state directories of all repositories. */
  readonly stateRoot: string;
  readonly privateFolders: readonly string[];
  /** Folders that are private in parts. */
  readonly split: readonly SplitFolder[];
  /** Mount points of this machine. */
  readonly mountPoints: readonly string[];
  /** Files and folders that the session needs, wherever they lie. */
  readonly needed: readonly string[];
}

/** Folders that start empty for each session. `/dev` is made anew by the sandbox, and `/dev/shm` with it. */
export const EMPTY_FOLDERS = ["/tmp", "/var/tmp", "/run"];
const COVERED = [...EMPTY_FOLDERS, "/dev"];

/** Where toolchains and agents write, besides HOME. */
const PRIVATE_VARIABLES = [
  "XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME CARGO_HOME GOPATH GOCACHE GOMODCACHE GRADLE_USER_HOME",
  "DENO_DIR PNPM_HOME COREPACK_HOME CLAUDE_CONFIG_DIR CODEX_HOME",
].flatMap((names) => names.split(" "));

/** HOME and the others, as real paths, outermost first; none inside of another or of the place. */
export function listPrivateFolders(environment: Environment, cwd: string): readonly string[] {
  const { HOME: home, ...others } = withHome(environment);
  const named = [home, ...PRIVATE_VARIABLES.map((name) => others[name])];
  const folders = named
    .filter((path) => path !== undefined && isAbsolute(path))
    .flatMap((path) => resolveReal(path ?? "") ?? [])
    .filter((path) => path !== "/" && isFolder(path) && !isWithin(path, cwd));
  return dropInner([...new Set(folders)]);
}

function dropInner(folders: readonly string[]): readonly string[] {
  return folders.filter((one) => !folders.some((other) => other !== one && isWithin(one, other)));
}

export function listMountsOfSandbox(request: MountRequest): readonly SandboxMount[] {
  const { place, stateRoot, environment, privateFolders, split } = request;
  const covered = [...COVERED, ...privateFolders, ...split.map(({ path }) => path)];
  const isCovered = (path: string): boolean => covered.some((folder) => isWithin(path, folder));
  const secret = [stateRoot, locateUserFolder(environment)].flatMap((path) => resolveReal(path) ?? []);
  return [
    // Around a private folder, perhaps.
    ...listNeeded(request).map((path) => ({ kind: "read-only", path }) as const),
    ...split.map(({ path, source }) => ({ kind: "replaced", path, source }) as const),
    ...privateFolders.map((path, index) => ({ kind: "private", path, index }) as const),
    ...split.flatMap(({ readOnly }) => readOnly.map((path) => ({ kind: "read-only", path }) as const)),
    ...request.mountPoints
      .filter((path) => privateFolders.some((folder) => path !== folder && isWithin(path, folder)))
      .map((path) => ({ kind: "read-only", path }) as const),
    ...secret.map((path) => ({ kind: "hidden-folder", path }) as const),
    ...listHidden(request.hidden, environment),
    ...listRepositoryMounts(place, isCovered),
    ...listPlaceMounts(place),
  ];
}

/** The needed paths that would be covered. What lies in a private folder is seen through it. */
function listNeeded({ needed, privateFolders, split, place }: MountRequest): readonly string[] {
  const paths = needed.filter((path) => isAbsolute(path)).flatMap((path) => [path, resolveReal(path) ?? path]);
  const lost = paths.filter(
    (path) =>
      COVERED.some((folder) => path !== folder && isWithin(path, folder)) &&
      ![...privateFolders, ...split.map((folder) => folder.path)].some((folder) => isWithin(path, folder)) &&
      !isWithin(path, place.cwd) &&
      exists(path),
  );
  return dropInner([...new Set(lost)]);
}

function listHidden(hidden: readonly string[], environment: Environment): readonly SandboxMount[] {
  const home = withHome(environment)["HOME"] ?? "";
  return hidden
    .map((path) => (path.startsWith("~/") ? join(home, path.slice(2)) : path))
    .flatMap((path) => (isAbsolute(path) ? (resolveReal(path) ?? []) : []))
    .map((path) => ({ kind: isFolder(path) ? "hidden-folder" : "hidden-file", path }) as const);
}

/** The user's own repository, where the tick works elsewhere, and git's data outside of the place. */
function listRepositoryMounts(
  { cwd, repository: { root, gitDir, commonDir } }: SandboxPlace,
  isCovered: (path: string) => boolean,
): readonly SandboxMount[] {
  const outside = [...(root === cwd ? [] : [root]), commonDir, gitDir];
  return dropInner([...new Set(outside)])
    .filter((path) => isCovered(path) && !isWithin(path, cwd))
    .map((path) => ({ kind: "read-only", path }) as const);
}

function listPlaceMounts({ cwd, view, owned, dropRoot, drop }: SandboxPlace): readonly SandboxMount[] {
  const drops = join(cwd, dropRoot);
  return [
    { kind: "writable", path: cwd },
    ...[".git", ...owned]
      .map((name) => join(cwd, name))
      .filter((path) => exists(view(path)))
      .map((path) => ({ kind: "read-only", path }) as const),
    // A drop folder is known to its own session only.
    ...(exists(view(drops)) ? [{ kind: "hidden-folder", path: drops } as const] : []),
    ...(drop === null ? [] : [{ kind: "writable", path: drop } as const]),
  ];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The folders around a program that it may need: its own, and that of the file behind a link. */
export function listProgramFolders(file: string): readonly string[] {
  const folders = [file, resolveReal(file) ?? file].map((path) => dirname(path));
  return folders.flatMap((folder) => (COVERED.includes(folder) ? [file] : [folder]));
}

const TABLE = "/proc/self/mountinfo";

/** The mount points of this process; of several at one path, the last one counts. */
export function listMountPoints(): readonly string[] {
  const points = readFileSync(TABLE, "utf8")
    .split("\n")
    .flatMap((line) => line.split(" ")[4] ?? []);
  return [...new Set(points.map(decodeOctal))];
}

function decodeOctal(text: string): string {
  return text.replaceAll(/\\(?<octal>[0-7]{3})/gu, (_, octal: string) =>
    String.fromCodePoint(Number.parseInt(octal, 8)),
  );
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
