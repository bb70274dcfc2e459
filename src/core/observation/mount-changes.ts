/**
 * What was mounted or unmounted around a repository, and how its entries are left alone there.
 *
 * Below a new mount lies something that is not the repository, perhaps a folder of somebody else; below one that is
 * gone, the repository is not to be seen. So nothing there is looked at, removed or written: it counts as it was before.
 */
import type { Entry, Manifest, Mount } from "../../contract/evidence/manifest.ts";

export interface MountChange {
  /** The place, as an absolute byte string. */
  readonly point: string;
  readonly became: "mounted" | "unmounted";
}

/** The mounts that decide what is seen in one of the folders: at it, above it or below it. */
export function listMountsAround(mounts: readonly Mount[], folders: readonly string[]): readonly Mount[] {
  return mounts.filter(({ point }) => folders.some((folder) => findPlaceIn(folder, point) !== null));
}

/** Each mount that one list has more often than the other. */
export function listMountChanges(before: readonly Mount[], now: readonly Mount[]): readonly MountChange[] {
  return [
    ...surplus(now, before).map(({ point }) => ({ point, became: "mounted" }) as const),
    ...surplus(before, now).map(({ point }) => ({ point, became: "unmounted" }) as const),
  ];
}

function surplus(some: readonly Mount[], others: readonly Mount[]): readonly Mount[] {
  const rest = new Map<string, number>();
  for (const mount of others) rest.set(nameOf(mount), (rest.get(nameOf(mount)) ?? 0) + 1);
  return some.filter((mount) => {
    const left = rest.get(nameOf(mount)) ?? 0;
    rest.set(nameOf(mount), left - 1);
    return left <= 0;
  });
}

function nameOf({ point, kind }: Mount): string {
  return `${point}\0${kind}`;
}

/** Where a point lies in a folder, from that folder: "" is all of it, and null is outside. */
export function findPlaceIn(folder: string, point: string): string | null {
  if (point === "/" || point === folder || folder.startsWith(`${point}/`)) return "";
  return point.startsWith(`${folder}/`) ? point.slice(folder.length + 1) : null;
}

/**
 * A manifest in which everything at, below and on the way to the places is as it was. A folder on the way that is new
 * counts as not there, because it cannot go while something is mounted in it.
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
