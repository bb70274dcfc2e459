/** An entry of an index as bytes: 60 for times, place, mode, owner, size and id, then flags, the name and one to eight NULs. */
const FLAGS_AT = 60;
const NAME_LENGTH_MAX = 0xfff;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;

/** `head` has everything before the flags; `path` is a byte path. */
export function encodeIndexEntry(head: Buffer, path: string, skipWorktree = false): Buffer {
  const nameAt = FLAGS_AT + (skipWorktree ? 4 : 2);
  const entry = Buffer.alloc(((nameAt + path.length) & ~7) + 8);
  head.copy(entry);
  entry.writeUInt16BE(Math.min(path.length, NAME_LENGTH_MAX) | (skipWorktree ? EXTENDED : 0), FLAGS_AT);
  if (skipWorktree) entry.writeUInt16BE(SKIP_WORKTREE, FLAGS_AT + 2);
  entry.write(path, nameAt, "latin1");
  return entry;
}
