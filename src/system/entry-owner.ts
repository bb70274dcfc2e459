import type { Entry } from "../base/manifest.ts";

/** The owner of a new entry: this user, or the owner of its folder where root works for somebody else. */
export function createEntryOwner(folder: Entry | undefined): string {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 && folder !== undefined ? folder.owner : `${uid}:${process.getgid?.() ?? 0}`;
}

/** Whether this user could make the entry again with its owner. */
export function isOwnable(entry: Entry | undefined): boolean {
  const uid = process.getuid?.() ?? 0;
  if (entry === undefined || uid === 0) return true;
  const [owner, group] = entry.owner.split(":").map(Number);
  const groups = [process.getgid?.(), ...(process.getgroups?.() ?? [])];
  return owner === uid && groups.includes(group);
}
