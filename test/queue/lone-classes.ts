/**
 * What only one of the two engines can see, and why. Every finding that only one of them has must belong to a class of
 * this list; docs/judge.md shows the same list.
 */
import type { LoneFinding } from "./compare-engines.ts";

interface LoneClass {
  readonly name: string;
  readonly seenBy: "a tick" | "`relais judge`";
  readonly reason: string;
  readonly holds: (finding: LoneFinding) => boolean;
}

export const LONE_CLASSES: readonly LoneClass[] = [
  {
    name: "git's own data",
    seenBy: "a tick",
    reason: "A commit holds no refs, configuration, hooks or index.",
    holds: ({ gate }) => gate === "head-moved" || gate === "git-metadata",
  },
  {
    name: "ignored files",
    seenBy: "a tick",
    reason: "No commit holds them.",
    holds: ({ change, isIgnoredNow }) => change?.standing === "ignored" || isIgnoredNow,
  },
  {
    name: "files that were never committed",
    seenBy: "a tick",
    reason: "No commit says what they were before.",
    holds: ({ change }) => change?.standing === "untracked" && change.before !== null,
  },
  {
    name: "what a git tree cannot hold",
    seenBy: "a tick",
    reason: "Empty folders, pipes, sockets, devices, permissions, owners and hard links.",
    holds: ({ change }) => change !== null && !isForATree(change),
  },
  {
    name: "line ends and filters",
    seenBy: "a tick",
    reason: "A file can differ while a commit would hold the same content.",
    holds: ({ change, isSameForGit }) => change?.after?.type === "file" && isSameForGit,
  },
  {
    name: "the folder of the working tree",
    seenBy: "a tick",
    reason: "If a link replaced it, git works where the link leads.",
    holds: ({ isRootReplaced }) => isRootReplaced,
  },
  {
    name: "files outside a sparse checkout",
    seenBy: "a tick",
    reason: "git takes them as unchanged.",
    holds: ({ change, isSkipped }) => change?.checked_out === false || isSkipped,
  },
  {
    name: "nested repositories",
    seenBy: "a tick",
    reason: "git adds them as one link and looks at nothing inside.",
    holds: ({ change }) => change?.inside_repository !== null && change?.inside_repository !== undefined,
  },
  {
    name: "the link of a nested repository",
    seenBy: "`relais judge`",
    reason: "git would add its commit; a tick names the files inside.",
    holds: ({ change }) => [change?.before?.type, change?.after?.type].includes("gitlink"),
  },
  {
    name: "files that git did not see before",
    seenBy: "`relais judge`",
    reason: "They were ignored or nested; a tick knows that they are unchanged.",
    holds: ({ change, wasThere }) => wasThere && change?.before === null,
  },
];

function isForATree({ before, after }: NonNullable<LoneFinding["change"]>): boolean {
  const sides = [before, after].flatMap((side) => (side === null ? [] : [side]));
  if (sides.some(({ type }) => !["file", "symlink", "gitlink"].includes(type))) return false;
  if (after !== null && (after.hard_links > 1 || hasSpecialBits(after.mode) || !isReadable(after.mode))) return false;
  const [was, is] = sides;
  const isSame = was !== undefined && is !== undefined && was.type === is.type && was.id === is.id;
  return !isSame || isExecutable(was.mode) !== isExecutable(is.mode);
}

function hasSpecialBits(mode: string): boolean {
  return (Number.parseInt(mode, 8) & 0o7000) !== 0;
}

function isReadable(mode: string): boolean {
  return (Number.parseInt(mode, 8) & 0o400) !== 0;
}

function isExecutable(mode: string): boolean {
  return (Number.parseInt(mode, 8) & 0o100) !== 0;
}
