/** The simulated git answers as the real one, about the same random repositories. */
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_TIMEOUT_MS, runs } from "../../test/support/runs.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";
import { NodeChildren } from "./children.ts";
import { git } from "./git/commands.ts";
import { readIndex, UNSEEN } from "./git/index-file.ts";
import { hashObject } from "./git/objects.ts";
import { NO_ID } from "./git/refs.ts";
import { Machine } from "./machine.ts";
import { NodeFiles } from "./node-files.ts";
import { makeSystem, REPOSITORY } from "./repository.ts";
import { GIT_ENVIRONMENT } from "./git-environment.ts";

const NAMES = ["a.txt", "b", "src/a.txt", "src/deep/c", "src.txt", "z"];
const line = fc.constantFrom("one", "two", "three", "four", "five", "six", "seven", "eight");
/** Each line once: git and a table of common lines then find the same difference. */
const plain = fc.uniqueArray(line, { maxLength: 8 }).map((lines) => lines.map((one) => `${one}\n`).join(""));
/** A power cut leaves zeros, and then the file is no text for git. */
const content = fc.oneof(
  { arbitrary: plain, weight: 4 },
  { arbitrary: fc.tuple(plain, fc.nat(70)).map(([begin, zeros]) => `${begin}${"\0".repeat(zeros)}`), weight: 1 },
);
const file = fc.record({ text: content, isProgram: fc.boolean() });
const tree = fc.dictionary(fc.constantFrom(...NAMES), file, { minKeys: 1 });
const ignored = fc.option(fc.constantFrom("b\n", "*\n", "/z\n", "src.txt\nb\n"));
const repository = fc.record({ first: tree, second: tree, worktree: tree, ignored });
type Tree = Readonly<Record<string, { readonly text: string; readonly isProgram: boolean }>>;
interface RepositoryPlan {
  readonly first: Tree;
  readonly second: Tree;
  readonly worktree: Tree;
  readonly ignored: string | null;
}

const DIFFERENCE =
  "--raw -p -z --full-index --no-abbrev --no-renames --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/";

/** Writes a tree into an empty folder. */
function writeTree(root: string, files: Tree): void {
  for (const name of fs.readdirSync(root)) if (name !== ".git") fs.rmSync(join(root, name), { recursive: true });
  for (const [path, { text, isProgram }] of Object.entries(files)) {
    fs.mkdirSync(join(root, path, ".."), { recursive: true });
    fs.writeFileSync(join(root, path), text, { mode: isProgram ? 0o755 : 0o644 });
  }
}

/** Two commits, an index that is the second, and a worktree that is neither. */
function makeReal(root: string, { first, second, worktree, ignored: rules }: RepositoryPlan) {
  const run = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, env: { ...process.env, ...GIT_ENVIRONMENT }, encoding: "utf8" }).trim();
  run("init", "--quiet", "--initial-branch=work");
  const ids = [first, second].map((files) => {
    writeTree(root, files);
    run("add", "--all", "--force");
    run("commit", "--quiet", "--allow-empty", "--message", "a commit");
    return run("rev-parse", "HEAD");
  });
  writeTree(root, worktree);
  if (rules !== null) fs.writeFileSync(join(root, ".gitignore"), rules);
  return ids;
}

/** The same files on a simulated disk. */
function copyIn(files: NodeFiles, from: string, to: string): void {
  files.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), `${to}/${entry.name}`];
    if (entry.isDirectory()) copyIn(files, source, target);
    else files.writeFileSync(target, fs.readFileSync(source), { mode: fs.statSync(source).mode & 0o777 });
  }
}

interface Answer {
  readonly status: number | null;
  readonly out: string;
}

class SimulatedGit {
  readonly #machine = new Machine(1);
  readonly #files: NodeFiles;
  readonly #children: NodeChildren;

  constructor(root: string) {
    this.#files = makeSystem(this.#machine);
    copyIn(this.#files, root, REPOSITORY);
    const caller = this.#machine.start({ argv: ["caller"], env: {}, cwd: "/", parent: null });
    this.#children = new NodeChildren(
      () => this.#machine,
      () => caller,
      () => git,
    );
  }

  async ask(args: readonly string[], input: string): Promise<Answer> {
    const env = { ...GIT_ENVIRONMENT, GIT_DIR: `${REPOSITORY}/.git`, GIT_WORK_TREE: REPOSITORY };
    const child = this.#children.spawn("/usr/bin/git", args, { cwd: REPOSITORY, env, stdio: ["pipe"] });
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.stdin?.end(input);
    const codes: (number | null)[] = [];
    child.on("close", (code: number | null) => void codes.push(code));
    while (codes.length === 0) if (!(await this.#machine.step())) throw new Error("git waits for nothing");
    const [status = null] = codes;
    return { status, out: Buffer.concat(parts).toString("latin1") };
  }

  /** Each entry, and whether git knows its file again. */
  listIndex(path = `${REPOSITORY}/.git/index`): readonly string[] {
    const entries = [...readIndex(this.#files, path)];
    return entries.map(([name, { mode, id, seen }]) => `${mode} ${id} ${!seen.equals(UNSEEN)} ${name}`);
  }

  /** The same about an index of the real git. */
  listRealIndex(root: string): readonly string[] {
    this.#files.writeFileSync("/tmp/index", fs.readFileSync(join(root, ".git", "index")));
    return this.listIndex("/tmp/index");
  }
}

function askReal(root: string, args: readonly string[], input: string): Answer {
  const env = { ...process.env, ...GIT_ENVIRONMENT, GIT_DIR: join(root, ".git"), GIT_WORK_TREE: root };
  const { status, stdout } = spawnSync("git", args, { cwd: root, env, input, encoding: "latin1" });
  return { status, out: stdout };
}

/** Git prints what is shorter, a content or a delta of it; the simulation always the content. */
const hideBinary = (out: string): string =>
  out.replace(/GIT binary patch\n(?:(?:literal|delta) \d+\n(?:.+\n)+\n){2}/g, "GIT binary patch\n");

/** The patch from one commit to the other makes the second one of the first. */
function applyReal(root: string, patch: string, [first = "", second = ""]: readonly string[]): void {
  const env = { ...process.env, ...GIT_ENVIRONMENT, GIT_DIR: join(root, ".git"), GIT_INDEX_FILE: join(root, ".index") };
  const run = (args: readonly string[], input = ""): string =>
    execFileSync("git", args, { cwd: root, env, input: Buffer.from(input, "latin1"), encoding: "utf8" }).trim();
  run(["read-tree", first]);
  if (patch !== "") run(["apply", "--cached", "--whitespace=nowarn"], patch);
  expect(run(["write-tree"])).toBe(run(["rev-parse", `${second}^{tree}`]));
  fs.rmSync(join(root, ".index"));
}

const listQuestions = ([first = "", second = ""]: readonly string[]): readonly (readonly [string, string])[] => [
  ["status --porcelain=v1 -z --untracked-files=all --ignore-submodules=none --no-renames", ""],
  ["rev-parse --verify --quiet HEAD^{commit}", ""],
  ["symbolic-ref --quiet HEAD", ""],
  [`log -20 --no-merges --format=%s ${second}`, ""],
  [`diff-tree -r -U3 --binary ${DIFFERENCE} ${first} ${second} --`, ""],
  [`diff-tree -r -U0 --binary ${DIFFERENCE} ${first} ${second} --`, ""],
  [
    `diff-tree -r -p --binary --full-index --no-color --src-prefix=a/ --dst-prefix=b/ --no-renames ${second}^ ${second}`,
    "",
  ],
  [`diff-tree -r -U0 ${DIFFERENCE} ${first} ${second} --`, ""],
  [`diff-index --cached -U3 --binary ${DIFFERENCE} ${first} --`, ""],
  ["check-ignore -z --stdin --no-index", "b\0src.txt\0z\0src/a.txt\0none\0"],
  ["check-attr -z --stdin filter text", "b\0src/a.txt\0"],
  ["cat-file --batch-check=%(objectname)", `${first}\n${"1".repeat(40)}\n`],
  ["cat-file --batch", `${first}\n${second}\n`],
  ["var GIT_AUTHOR_IDENT", ""],
  [`update-ref -m why refs/heads/work ${first} ${first}`, ""],
  [`update-ref -m why refs/heads/work ${first} ${second}`, ""],
  ["rev-parse --verify --quiet HEAD^{commit}", ""],
];

const named = (records: readonly string[]): string => records.map((record) => `${record}\0`).join("");

/** What writes: a tree and the commit of it, from a commit and the worktree. Paths are names of this test. */
function listWrites({ worktree }: RepositoryPlan, [first = "", second = ""]: readonly string[]) {
  const inWorktree = Object.keys(worktree);
  const blob = hashObject("blob", Buffer.from("hello\n")).id;
  return [
    [`read-tree ${second}`, ""],
    ["write-tree", ""],
    [`read-tree ${first}`, ""],
    ["update-index -z --force-remove --stdin", named(["src/a.txt", "never"])],
    ["update-index -z --add --replace --stdin", named(inWorktree.slice(1))],
    ["hash-object -w --stdin", "hello\n"],
    [
      "update-index -z --index-info",
      named([`0 ${NO_ID} 0\tb`, `100755 ${blob} 0\tz/below`, `120000 ${blob} 0\tsrc.txt`, `100644 ${blob} 0\tnew`]),
    ],
    ["write-tree", ""],
  ] as const;
}

const RENEW = "add --refresh --pathspec-from-file=- --pathspec-file-nul";

test(
  "any repository is written to in the same way",
  async () => {
    const scratch = fs.realpathSync(scratchFolder());
    let number = 0;
    await fc.assert(
      fc.asyncProperty(repository, async (made) => {
        number += 1;
        const root = join(scratch, String(number));
        fs.mkdirSync(root);
        const ids = makeReal(root, made);
        const simulated = new SimulatedGit(root);
        const compare = async (question: string, input: string): Promise<string> => {
          const expected = askReal(root, question.split(" "), input);
          expect([question, await simulated.ask(question.split(" "), input)]).toEqual([question, expected]);
          expect([question, simulated.listIndex()]).toEqual([question, simulated.listRealIndex(root)]);
          return expected.out.trim();
        };
        let last = "";
        for (const [question, input] of listWrites(made, ids)) {
          last = await compare(question, input);
          const listed = simulated.listIndex().map((entry) => entry.split(" ").at(-1) ?? "");
          const there = listed.filter((path) => path in made.worktree);
          if (there.length > 0) await compare(RENEW, named(there));
        }
        await compare(`commit-tree ${last} -p ${ids[0]}`, "a message\n");
        fs.rmSync(root, { recursive: true });
      }),
      runs(60, 6),
    );
  },
  PROPERTY_TIMEOUT_MS,
);

test(
  "any repository has the same answers",
  async () => {
    const scratch = fs.realpathSync(scratchFolder());
    let number = 0;
    await fc.assert(
      fc.asyncProperty(repository, async (made) => {
        number += 1;
        const root = join(scratch, String(number));
        fs.mkdirSync(root);
        const ids = makeReal(root, made);
        const simulated = new SimulatedGit(root);
        for (const [question, input] of listQuestions(ids)) {
          const args = question.split(" ");
          const expected = askReal(root, args, input);
          const answer = await simulated.ask(args, input);
          const hide = ({ status, out }: Answer) => ({
            status,
            out: hideBinary(out).replace(/\d{10} [+-]\d{4}/g, "NOW"),
          });
          expect([question, hide(answer)]).toEqual([question, hide(expected)]);
          if (question.includes("diff-tree -r -p --binary")) applyReal(root, answer.out, ids);
        }
        fs.rmSync(root, { recursive: true });
      }),
      runs(300, 6),
    );
  },
  PROPERTY_TIMEOUT_MS,
);
