/**
 * Mounts and unmounts around a repository. Below a new mount there may be a foreign folder; below
 * a removed one the repository is hidden. So nothing there is read, removed or written: it counts as unchanged.
 */
import type { Entry, Manifest, Mount } from "../../base/manifest.ts";

export interface MountChange {
  /** An absolute byte string. */
  readonly point: string;
  readonly became: "mounted" | "unmounted";
}

/** The mounts at, above or below one of the folders. */
export function listMountsAround(mounts: readonly Mount[], folders: readonly string[]): readonly Mount[] {
  return mounts.filter(({ point }) => folders.some((folder) => findPlaceIn(folder, point) !== null));
}

/** Mounts that one list has more often than the other. */
export function listMountChanges(before: readonly Mount[], now: readonly Mount[]): readonly MountChange[] {
  return [
    ...listSurplus(now, before).map(({ point }) => ({ point, became: "mounted" }) as const),
    ...listSurplus(before, now).map(({ point }) => ({ point, became: "unmounted" }) as const),
  ];
}

function listSurplus(some: readonly Mount[], others: readonly Mount[]): readonly Mount[] {
  const rest = new Map<string, number>();
  for (const mount of others) rest.set(makeMountKey(mount), (rest.get(makeMountKey(mount)) ?? 0) + 1);
  return some.filter((mount) => {
    const left = rest.get(makeMountKey(mount)) ?? 0;
    rest.set(makeMountKey(mount), left - 1);
    return left <= 0;
  });
}

function makeMountKey({ point, kind }: Mount): string {
  return `${point}\0${kind}`;
}

/** Relative to the folder: "" is all of it, null is outside. */
export function findPlaceIn(folder: string, point: string): string | null {
  if (point === "/" || point === folder || folder.startsWith(`${point}/`)) return "";
  return point.startsWith(`${folder}/`) ? point.slice(folder.length + 1) : null;
}

/**
 * Takes everything at, below and above these places from `before`. A new folder above counts as missing, because it
 * cannot be removed while something is mounted in it.
 */
export function hideEntries(
  now: ReadonlyMap<string, Entry>,
  before: Manifest,
  places: readonly string[],
): Map<string, Entry> {
  const isHidden = (path: string): boolean =>
    places.some((place) => place === "" || path === place || path.startsWith(`${place}/`));
  const isOnTheWay = (path: string): boolean => places.some((place) => place.startsWith(`${path}/`));
  const seen = [...now].filter(([path, { type }]) => {
    if (isHidden(path)) return false;
    return path === "" || !isOnTheWay(path) || before.get(path)?.type === type;
  });
  const kept = [...before].filter(([path, { type }]) => {
    return isHidden(path) || (isOnTheWay(path) && now.get(path)?.type !== type);
  });
  return new Map([...seen, ...kept]);
}
