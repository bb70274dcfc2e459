import type { Entry } from "../../contract/evidence/manifest.ts";

/** Whose a new entry will be: ours, or where root works for somebody else, theirs whose folder it is. */
export function createEntryOwner(folder: Entry | undefined): string {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 && folder !== undefined ? folder.owner : `${uid}:${process.getgid?.() ?? 0}`;
}

/** Whether an entry could be made again with the owner that it has. */
export function isOwnable(entry: Entry | undefined): boolean {
  const uid = process.getuid?.() ?? 0;
  if (entry === undefined || uid === 0) return true;
  const [owner, group] = entry.owner.split(":").map(Number);
  const groups = [process.getgid?.(), ...(process.getgroups?.() ?? [])];
  return owner === uid && groups.includes(group);
}
