import { lstatSync, readlinkSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** More links on one way are a circle, and a circle leads to no file. */
const LINKS_MAX = 40;

/**
 * Whether a path below a folder leads out of it through a link. A missing path leads nowhere; a link counts by its
 * text, even if its target does not exist yet.
 */
export function leadsOutside(root: string, path: string): boolean {
  let folder = root;
  let links = 0;
  const ahead = path.split("/");
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === "" || name === ".") continue;
    const next = name === ".." ? dirname(folder) : join(folder, name);
    if (!isInside(root, next)) return true;
    const target = findLinkTarget(next);
    folder = target === null ? next : root;
    if (target === null) continue;
    links += 1;
    const place = resolve(dirname(next), target);
    if (links > LINKS_MAX || !isInside(root, place)) return true;
    ahead.unshift(...relative(root, place).split(sep));
  }
  return false;
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root === sep ? sep : `${root}${sep}`);
}

/** Null for everything that is no link. */
function findLinkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
