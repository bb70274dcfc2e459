/** Git as far as relais asks it, on the simulated files. Every other question is a failure of the simulation. */
import { type Program, type ProgramRun, readInput } from "../children.ts";
import { SystemError } from "../file-error.ts";
import { isBinary, renderBinary } from "./binary-patch.ts";
import { NOTHING } from "../inode.ts";
import { readIndex } from "./index-file.ts";
import {
  findTree,
  GitFailure,
  type GitObject,
  hashObject,
  listTree,
  type ObjectStores,
  readObject,
  type TreeFile,
} from "./objects.ts";
import { renderHunks } from "./patch.ts";
import { NO_ID, readRef, updateRef } from "./refs.ts";
import { WRITERS } from "./writers.ts";

/** What the commands of one git share. */
export interface Git extends ProgramRun {
  readonly input: Buffer;
  readonly gitDir: string;
  readonly workTree: string;
  readonly indexFile: string;
  readonly stores: ObjectStores;
}

type Command = (git: Git, args: readonly string[]) => number;

const NO_MODE = "000000";
const [WORK_US, ANSWER_US] = [3000, 200];

export const git: Program = function* (run) {
  yield WORK_US + run.machine.random.below(WORK_US);
  const { env, argv } = run.process;
  const gitDir = env["GIT_DIR"] ?? "";
  const named = (env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] ?? "").split(":").filter((path) => path !== "");
  const own = env["GIT_OBJECT_DIRECTORY"] ?? `${gitDir}/objects`;
  const folders = [own, ...named, ...readAlternates(run.files, own)];
  const indexFile = env["GIT_INDEX_FILE"] ?? `${gitDir}/index`;
  const workTree = env["GIT_WORK_TREE"] ?? "";
  if (argv.includes("--batch-command")) return yield* answerObjects({ ...run, stores: { files: run.files, folders } });
  const input = yield* readInput(run.takeInput);
  const isSynced = argv.some((arg) => arg.startsWith("core.fsync="));
  const opened: Git = { ...run, input, gitDir, workTree, indexFile, stores: { files: run.files, folders, isSynced } };
  const args = withoutSettings(argv.slice(1));
  const [name = "", ...rest] = args;
  if (name === "rev-list" || name === "pack-objects") return 128; // The store has no packs: it stays as large as it is.
  const command = COMMANDS[name];
  if (command === undefined) throw new Error(`git ${args.join(" ")} is not simulated`);
  try {
    return command(opened, rest);
  } catch (error) {
    if (!(error instanceof GitFailure || error instanceof SystemError)) throw error;
    run.err(error instanceof GitFailure ? `${error.message}\n` : `fatal: ${error.message}\n`);
    return 128;
  }
};

function readAlternates(files: ProgramRun["files"], objects: string): readonly string[] {
  const path = `${objects}/info/alternates`;
  return files.existsSync(path)
    ? String(files.readFileSync(path, "utf8"))
        .split("\n")
        .filter((one) => one !== "")
    : [];
}

function withoutSettings(args: readonly string[]): readonly string[] {
  const first = args.findIndex((arg, at) => arg !== "-c" && args[at - 1] !== "-c");
  return args.slice(first);
}

const COMMANDS: Readonly<Record<string, Command>> = {
  ...WRITERS,
  "--version": ({ out }) => {
    out("git version 2.39.5\n");
    return 0;
  },
  config: ({ files, gitDir, out }) => {
    out(
      listSettings(String(files.readFileSync(`${gitDir}/config`, "utf8")))
        .map((one) => `file:${gitDir}/config\0${one}\0`)
        .join(""),
    );
    return 0;
  },
  status: printStatus,
  "diff-tree": ({ stores, out }, args) => {
    const [from = "", to = ""] = args.filter((arg) => REVISION.test(arg)).map((arg) => findRevision(stores, arg));
    return printDifference({ stores, out }, args, [listFiles(stores, from), listFiles(stores, to)]);
  },
  "diff-index": ({ stores, out, files, indexFile }, args) => {
    const from = args.find((arg) => ID.test(arg)) ?? "";
    return printDifference({ stores, out }, args, [listFiles(stores, from), readIndex(files, indexFile)]);
  },
  "update-ref": updateRef,
  "rev-parse": (opened, args) => {
    const id = readRef(opened, "HEAD");
    const asked = args.at(-1) ?? "";
    if (!/^HEAD(?:\^\{commit\})?$/.test(asked)) throw new Error(`git rev-parse ${asked} is not simulated`);
    if (id === null) return 1;
    opened.out(`${id}\n`);
    return 0;
  },
  "symbolic-ref": ({ files, gitDir, out }, args) => {
    if (args.join(" ") !== "--quiet HEAD") throw new Error(`git symbolic-ref ${args.join(" ")} is not simulated`);
    const ref = /^ref: (.+)\n$/.exec(String(files.readFileSync(`${gitDir}/HEAD`, "utf8")))?.[1];
    if (ref === undefined) return 1;
    out(`${ref}\n`);
    return 0;
  },
  var: (opened, args) => {
    const settings = new Map(
      listSettings(String(opened.files.readFileSync(`${opened.gitDir}/config`, "utf8"))).map((one) =>
        splitSetting(one),
      ),
    );
    const { env } = opened.process;
    const role = args[0] === "GIT_AUTHOR_IDENT" ? "AUTHOR" : "COMMITTER";
    const name = env[`GIT_${role}_NAME`] ?? settings.get("user.name");
    const email = env[`GIT_${role}_EMAIL`] ?? settings.get("user.email");
    if (name === undefined || email === undefined) throw new GitFailure("fatal: no identity was given");
    opened.out(`${name} <${email}> ${Math.floor(opened.machine.nowUs / 1_000_000)} +0000\n`);
    return 0;
  },
  log: ({ stores, out }, args) => {
    const [, max = "", id = ""] = /^-(\d+) --no-merges --format=%s ([0-9a-f]{40})$/.exec(args.join(" ")) ?? [];
    if (id === "") throw new Error(`git log ${args.join(" ")} is not simulated`);
    for (const subject of listSubjects(stores, id).slice(0, Number(max))) out(`${subject}\n`);
    return 0;
  },
  "cat-file": printObjects,
  "check-ignore": ({ files, workTree, input, out }, args) => {
    if (args.join(" ") !== "-z --stdin --no-index")
      throw new Error(`git check-ignore ${args.join(" ")} is not simulated`);
    const paths = input.toString("latin1").split("\0").slice(0, -1);
    const ignored = paths.filter((path) => isIgnored(files, workTree, path));
    out(Buffer.from(ignored.map((path) => `${path}\0`).join(""), "latin1"));
    return ignored.length > 0 ? 0 : 1;
  },
  "check-attr": ({ input, out }, args) => {
    const names = args.slice(2);
    const paths = input.toString("latin1").split("\0").slice(0, -1);
    out(
      Buffer.from(paths.flatMap((path) => names.map((name) => `${path}\0${name}\0unspecified\0`)).join(""), "latin1"),
    );
    return 0;
  },
};

/** The first lines of its messages, the newest first. The histories here are straight: no commit has two parents. */
function listSubjects(stores: ObjectStores, newest: string): readonly string[] {
  const subjects: string[] = [];
  for (let id: string | undefined = newest; id !== undefined;) {
    const object = readObject(stores, id);
    if (object?.type !== "commit") throw new GitFailure(`fatal: bad object ${id}`);
    const text = object.content.toString("utf8");
    const end = text.indexOf("\n\n");
    subjects.push(text.slice(end + 2).split("\n")[0] ?? "");
    id = /^parent ([0-9a-f]{40})$/m.exec(text.slice(0, end))?.[1];
  }
  return subjects;
}

function splitSetting(setting: string): readonly [name: string, value: string] {
  const end = setting.indexOf("\n");
  return [setting.slice(0, end), setting.slice(end + 1)];
}

/** Names in small letters, as `git config --list` prints them. */
function listSettings(text: string): readonly string[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    const header = /^\[(\w+)\]$/.exec(line.trim())?.[1];
    if (header !== undefined) section = header.toLowerCase();
    const [, key, value] = /^\s+(\w+) = (.*)$/.exec(line) ?? [];
    return key === undefined ? [] : [`${section}.${key.toLowerCase()}\n${value ?? ""}`];
  });
}

function printStatus(opened: Git): number {
  const { files, indexFile, workTree, stores, out } = opened;
  const head = readRef(opened, "HEAD");
  const committed = head === null ? new Map<string, TreeFile>() : listTree(stores, findTree(stores, head));
  const index = readIndex(files, indexFile);
  const worktree = new Map<string, TreeFile | null>();
  listWorktree({ files, index, found: worktree }, workTree, { prefix: "", above: [] });
  const changed: string[] = [];
  for (const path of [...new Set([...committed.keys(), ...index.keys()])].toSorted()) {
    const staged = letter(committed.get(path), index.get(path));
    const unstaged = index.has(path) ? letter(index.get(path), worktree.get(path) ?? undefined) : " ";
    if (staged !== " " || unstaged !== " ") changed.push(`${staged}${unstaged} ${path}\0`);
  }
  const untracked = [...worktree.keys()].filter((path) => !index.has(path)).toSorted();
  out(Buffer.from([...changed, ...untracked.map((path) => `?? ${path}\0`)].join(""), "latin1"));
  return 0;
}

function letter(before: TreeFile | undefined, after: TreeFile | undefined): string {
  if (before === undefined) return after === undefined ? " " : "A";
  if (after === undefined) return "D";
  if (before.id === after.id && before.mode === after.mode) return " ";
  return before.mode.slice(0, 3) === after.mode.slice(0, 3) ? "M" : "T";
}

interface WorktreeList {
  readonly files: Git["files"];
  readonly index: ReadonlyMap<string, TreeFile>;
  readonly found: Map<string, TreeFile | null>;
}

/** Every tracked file, and the names of the others that no rule ignores. */
function listWorktree(list: WorktreeList, folder: string, place: { prefix: string; above: readonly string[] }): void {
  const { files, index, found } = list;
  const names = files.readdirSync(folder, { encoding: "latin1" }).map(String);
  const rules = names.includes(".gitignore")
    ? String(files.readFileSync(`${folder}/.gitignore`, "latin1")).split("\n")
    : [];
  const general = [...place.above, ...rules];
  for (const name of names) {
    const path = `${place.prefix}${name}`;
    if (path === ".git") continue;
    const isHidden = general.includes("*") || general.includes(name) || rules.includes(`/${name}`);
    const absolute = `${folder}/${name}`;
    const stats = files.lstatSync(absolute);
    if (stats === undefined) continue;
    if (stats.isDirectory()) {
      const isTracked = !isHidden || [...index.keys()].some((one) => one.startsWith(`${path}/`));
      if (isTracked) listWorktree(list, absolute, { prefix: `${path}/`, above: isHidden ? ["*"] : general });
    } else if (index.has(path)) found.set(path, readWorktreeFile(files, absolute, stats));
    else if (!isHidden) found.set(path, null);
  }
}

/** By the rules of the folders above, as far as the simulation has them: `*`, and plain names. */
function isIgnored(files: Git["files"], workTree: string, path: string): boolean {
  const names = path.split("/").filter((name) => name !== "");
  return names.some((name, at) => {
    const rules = `${[workTree, ...names.slice(0, at)].join("/")}/.gitignore`;
    const lines = files.existsSync(rules) ? String(files.readFileSync(rules, "latin1")).split("\n") : [];
    return ["*", name, `/${name}`].some((rule) => lines.includes(rule));
  });
}

function readWorktreeFile(
  files: Git["files"],
  path: string,
  stats: NonNullable<ReturnType<Git["files"]["lstatSync"]>>,
): TreeFile {
  if (stats.isSymbolicLink())
    return { mode: "120000", id: hashObject("blob", Buffer.from(files.readlinkSync(path, "buffer"))).id };
  const mode = (Number(stats.mode) & 0o100) === 0 ? "100644" : "100755";
  return { mode, id: hashObject("blob", Buffer.from(files.readFileSync(path))).id };
}

const ID = /^[0-9a-f]{40}$/;
/** An object, or the first parent of a commit. */
const REVISION = /^[0-9a-f]{40}\^?$/;

function findRevision(stores: ObjectStores, revision: string): string {
  if (!revision.endsWith("^")) return revision;
  const commit = readObject(stores, revision.slice(0, -1));
  const parent = /^parent ([0-9a-f]{40})$/m.exec(commit?.content.toString("latin1") ?? "")?.[1];
  if (parent === undefined) throw new GitFailure(`fatal: ambiguous argument '${revision}': unknown revision`);
  return parent;
}

type FileList = ReadonlyMap<string, TreeFile>;

const listFiles = (stores: ObjectStores, id: string): FileList => listTree(stores, findTree(stores, id));

/** The list of entries, and then the patch of each. */
function printDifference(
  { stores, out }: Pick<Git, "stores" | "out">,
  args: readonly string[],
  [one, other]: readonly [FileList, FileList],
): number {
  const format = { context: args.includes("-U0") ? 0 : 3, isWhole: args.includes("--binary") };
  const paths = [...new Set([...one.keys(), ...other.keys()])]
    .toSorted()
    .filter((path) => letter(one.get(path), other.get(path)) !== " ");
  const raw = paths.map((path) => {
    const [before, after] = [one.get(path), other.get(path)];
    return `:${before?.mode ?? NO_MODE} ${after?.mode ?? NO_MODE} ${before?.id ?? NO_ID} ${after?.id ?? NO_ID} ${letter(before, after)}\0${path}\0`;
  });
  const patches = paths.map((path) =>
    renderPatch(stores, path, { before: one.get(path), after: other.get(path), ...format }),
  );
  const list = args.includes("--raw") ? `${raw.join("")}\0` : "";
  if (paths.length > 0) out(Buffer.from(`${list}${patches.join("")}`, "latin1"));
  return 0;
}

interface Sides {
  readonly before: TreeFile | undefined;
  readonly after: TreeFile | undefined;
  readonly context: number;
  /** Whether files that are no text are shown too. */
  readonly isWhole: boolean;
}

function renderPatch(stores: ObjectStores, path: string, sides: Sides): string {
  const { before, after } = sides;
  if (before !== undefined && after !== undefined && letter(before, after) === "T")
    return (
      renderPatch(stores, path, { ...sides, after: undefined }) +
      renderPatch(stores, path, { ...sides, before: undefined })
    );
  const head = [
    `diff --git a/${path} b/${path}`,
    ...(before === undefined ? [`new file mode ${after?.mode}`] : []),
    ...(after === undefined ? [`deleted file mode ${before?.mode}`] : []),
    ...(before !== undefined && after !== undefined && before.mode !== after.mode
      ? [`old mode ${before.mode}`, `new mode ${after.mode}`]
      : []),
  ];
  if (before?.id === after?.id) return `${head.join("\n")}\n`;
  const isSame = before !== undefined && after !== undefined && before.mode === after.mode;
  const index = `index ${before?.id ?? NO_ID}..${after?.id ?? NO_ID}${isSame ? ` ${after.mode}` : ""}`;
  return `${[...head, index].join("\n")}\n${renderContent(stores, path, sides)}`;
}

/** Empty where both files are. */
function renderContent(stores: ObjectStores, path: string, { before, after, context, isWhole }: Sides): string {
  const left = before === undefined ? NOTHING : readContent(stores, before.id);
  const right = after === undefined ? NOTHING : readContent(stores, after.id);
  if (left.length === 0 && right.length === 0) return "";
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  if (!isBinary(left) && !isBinary(right))
    return `--- ${from}\n+++ ${to}\n${renderHunks(left.toString("latin1"), right.toString("latin1"), context)}`;
  return isWhole ? renderBinary(left, right) : `Binary files ${from} and ${to} differ\n`;
}

function readContent(stores: ObjectStores, id: string): Buffer {
  const object = readObject(stores, id);
  if (object === null) throw new GitFailure(`fatal: unable to read ${id}`);
  return object.content;
}

function printObjects({ stores, input, out }: Git, [mode = ""]: readonly string[]): number {
  for (const id of input.toString("latin1").split("\n").slice(0, -1)) {
    const object = readObject(stores, id);
    if (object === null) out(`${id} missing\n`);
    else if (mode === "--batch-check=%(objectname)") out(`${id}\n`);
    else if (mode.startsWith("--batch-check=")) out(`${object.type} ${object.content.length}\n`);
    else out(renderObject(id, object));
  }
  return 0;
}

/** Answers each question as it comes, until the input ends. */
function* answerObjects({
  stores,
  takeInput,
  out,
}: Pick<Git, "stores" | "takeInput" | "out">): Generator<number, number> {
  let rest = "";
  for (let part = takeInput(); part !== null; part = takeInput()) {
    const lines = `${rest}${part.toString("latin1")}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [word, id = ""] = line.split(" ");
      if (word === "flush") continue;
      const object = readObject(stores, id);
      if (object === null) out(`${id} missing\n`);
      else out(word === "info" ? `${id} ${object.type} ${object.content.length}\n` : renderObject(id, object));
    }
    yield ANSWER_US;
  }
  return 0;
}

function renderObject(id: string, { type, content }: GitObject): Buffer {
  return Buffer.concat([Buffer.from(`${id} ${type} ${content.length}\n`), content, Buffer.from("\n")]);
}
