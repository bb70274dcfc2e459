/** What a person does in the repository with an editor and git. Everything is on the disk afterwards. */
import { noteSeen, readIndex, renderIndex } from "./git/index-file.ts";
import { findTree, hashObject, listTree, syncPath, writeObject, writeTrees } from "./git/objects.ts";
import type { Machine } from "./machine.ts";
import { NodeFiles } from "./node-files.ts";
import { REPOSITORY } from "./repository.ts";

const WHO = "Me <me@example.com>";
const GIT = `${REPOSITORY}/.git`;
const BRANCH = "refs/heads/work";

/** In one step: nothing else happens meanwhile. */
export function asPerson(machine: Machine, act: (files: NodeFiles) => void): void {
  const person = machine.start({ argv: ["person"], env: {}, cwd: REPOSITORY, parent: null });
  const { meanwhile, refuse } = machine;
  machine.meanwhile = null;
  machine.refuse = null;
  try {
    act(
      new NodeFiles(
        () => person.files,
        () => "person",
      ),
    );
  } finally {
    Object.assign(machine, { meanwhile, refuse });
    machine.end(person, { status: 0, signal: null });
  }
}

/** As an editor saves: a new file takes the place of the old one. */
export function saveFile(files: NodeFiles, path: string, data: string | Buffer): void {
  const descriptor = files.openSync(`${path}~`, "w");
  files.writeFileSync(descriptor, data);
  files.fsyncSync(descriptor);
  files.closeSync(descriptor);
  files.renameSync(`${path}~`, path);
  syncPath(files, path.replace(/\/[^/]*$/, ""));
}

/** As `git commit <path>`: a tracked file as it is now, on top of the branch. Answers whether there was anything to commit. */
export function commitFile(files: NodeFiles, path: string, nowUs: number): boolean {
  const stores = { files, folders: [`${GIT}/objects`], isSynced: true };
  const index = readIndex(files, `${GIT}/index`);
  const content = Buffer.from(files.readFileSync(`${REPOSITORY}/${path}`));
  const head = String(files.readFileSync(`${GIT}/${BRANCH}`, "utf8")).trim();
  const tree = new Map(listTree(stores, findTree(stores, head)));
  const { id } = hashObject("blob", content);
  if (!index.has(path) || tree.get(path)?.id === id || files.existsSync(`${GIT}/index.lock`)) return false;
  tree.set(path, { mode: "100644", id });
  writeObject(stores, "blob", content);
  const seconds = Math.floor(nowUs / 1_000_000);
  const who = `${WHO} ${seconds} +0000`;
  const text = `tree ${writeTrees(stores, tree)}\nparent ${head}\nauthor ${who}\ncommitter ${who}\n\nmine\n`;
  const commit = writeObject(stores, "commit", Buffer.from(text));
  const stats = files.lstatSync(`${REPOSITORY}/${path}`);
  if (stats === undefined) throw new Error(`${path} is gone`);
  index.set(path, { id, mode: "100644", seen: noteSeen(stats) });
  saveFile(files, `${GIT}/index`, renderIndex(index));
  const line = `${head} ${commit} ${who}\tcommit: mine\n`;
  for (const log of [`${GIT}/logs/${BRANCH}`, `${GIT}/logs/HEAD`]) files.appendFileSync(log, line);
  saveFile(files, `${GIT}/${BRANCH}`, `${commit}\n`);
  return true;
}
