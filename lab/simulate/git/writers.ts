/** The commands of git that write objects and an index. */
import type { Git } from "./commands.ts";
import { type IndexFile, noteSeen, readIndex, renderIndex, UNSEEN } from "./index-file.ts";
import { findTree, GitFailure, hashObject, listTree, writeObject, writeTrees } from "./objects.ts";

type Writer = (git: Git, args: readonly string[]) => number;

export const WRITERS: Readonly<Record<string, Writer>> = {
  "read-tree": (git, [tree = ""]) => {
    const files = listTree(git.stores, findTree(git.stores, tree));
    return writeIndex(git, new Map([...files].map(([path, file]) => [path, { ...file, seen: UNSEEN }])));
  },
  "update-index": (git, args) => {
    const index = readIndex(git.files, git.indexFile);
    const given = args.join(" ");
    if (given === "-z --index-info") for (const line of listInput(git)) putEntry(index, line);
    else if (given === "-z --force-remove --stdin") for (const path of listInput(git)) index.delete(path);
    else if (given === "-z --add --replace --stdin") for (const path of listInput(git)) addFile(git, index, path);
    else throw new Error(`git update-index ${given} is not simulated`);
    return writeIndex(git, index);
  },
  "write-tree": ({ stores, files, indexFile, out }) => {
    out(`${writeTrees(stores, readIndex(files, indexFile))}\n`);
    return 0;
  },
  "commit-tree": (git, [tree = "", option, parent = "", ...more]) => {
    if (option !== "-p" || more.length > 0) throw new Error(`git commit-tree ${more.join(" ")} is not simulated`);
    const { stores, input, out } = git;
    const who = (role: string) => `${role.toLowerCase()} ${describePerson(git, role)}`;
    const head = [`tree ${tree}`, `parent ${parent}`, who("AUTHOR"), who("COMMITTER"), "", ""].join("\n");
    out(`${writeObject(stores, "commit", Buffer.concat([Buffer.from(head), input]))}\n`);
    return 0;
  },
  add: (git, args) => {
    if (args.join(" ") !== "--refresh --pathspec-from-file=- --pathspec-file-nul")
      throw new Error(`git add ${args.join(" ")} is not simulated`);
    const index = readIndex(git.files, git.indexFile);
    for (const path of listInput(git)) refreshFile(git, index, path);
    return writeIndex(git, index);
  },
  "hash-object": ({ stores, input, out }, args) => {
    if (!/^-w --stdin(?: --no-filters| --path \S+)?$/.test(args.join(" ")))
      throw new Error(`git hash-object ${args.join(" ")} is not simulated`);
    out(`${writeObject(stores, "blob", input)}\n`);
    return 0;
  },
};

export function describePerson({ process, machine }: Git, role: string): string {
  const moment = process.env[`GIT_${role}_DATE`] ?? `${Math.floor(machine.nowUs / 1_000_000)} +0000`;
  return `${process.env[`GIT_${role}_NAME`]} <${process.env[`GIT_${role}_EMAIL`]}> ${moment}`;
}

const listInput = ({ input }: Git): readonly string[] => input.toString("latin1").split("\0").slice(0, -1);

function putEntry(index: Map<string, IndexFile>, line: string): void {
  const {
    mode = "",
    id = "",
    path = "",
  } = /^(?<mode>\d+) (?<id>[0-9a-f]{40}) 0\t(?<path>.+)$/s.exec(line)?.groups ?? {};
  if (path === "") throw new GitFailure(`fatal: malformed index info ${line}`);
  removeAround(index, path);
  index.delete(path);
  if (mode !== "0") index.set(path, { mode, id, seen: UNSEEN });
}

/** A file makes room for a folder of its name, and a folder for a file. */
function removeAround(index: Map<string, IndexFile>, path: string): void {
  for (const known of index.keys())
    if (known.startsWith(`${path}/`) || path.startsWith(`${known}/`)) index.delete(known);
}

function addFile(git: Git, index: Map<string, IndexFile>, path: string): void {
  const found = readFile(git, path);
  if (found === null) throw new GitFailure(`error: ${path}: does not exist and --remove not passed`);
  const { content, mode, stats } = found;
  removeAround(index, path);
  index.set(path, { mode, id: writeObject(git.stores, "blob", content), seen: noteSeen(stats) });
}

/** Only a file that is as the index says is known again. */
function refreshFile(git: Git, index: Map<string, IndexFile>, path: string): void {
  const [entry, found] = [index.get(path), readFile(git, path)];
  if (entry === undefined || found === null) return;
  const isSame = found.mode === entry.mode && hashObject("blob", found.content).id === entry.id;
  if (isSame) index.set(path, { ...entry, seen: noteSeen(found.stats) });
}

function readFile({ files, workTree }: Git, path: string) {
  const absolute = `${workTree}/${path}`;
  const stats = files.lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return null;
  if (stats.isSymbolicLink())
    return { stats, mode: "120000", content: Buffer.from(files.readlinkSync(absolute, "buffer")) };
  const mode = (Number(stats.mode) & 0o100) === 0 ? "100644" : "100755";
  return { stats, mode, content: Buffer.from(files.readFileSync(absolute)) };
}

/** By a lock file and a rename, as git does it. It is a private one, which relais asks nobody to sync. */
function writeIndex({ files, indexFile }: Git, entries: ReadonlyMap<string, IndexFile>): number {
  const lock = `${indexFile}.lock`;
  if (files.existsSync(lock)) throw new GitFailure(`fatal: Unable to create '${lock}': File exists.`);
  const descriptor = files.openSync(lock, "wx");
  files.writeFileSync(descriptor, renderIndex(entries));
  files.closeSync(descriptor);
  files.renameSync(lock, indexFile);
  return 0;
}
