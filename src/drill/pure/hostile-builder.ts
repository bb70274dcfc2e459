/**
 * A hostile, sloppy or honest builder: one small program, told about in the comments at its top. Adding one is adding
 * one file to `attacks/<class>/`. The first comment says in one sentence what it does; then come, one a line:
 *
 *     # expect: the code that it must end with; where several are right, all of them, the likeliest first
 *     # cause: the cause of that code
 *     # finding: words that the subject or the rule of a finding must hold
 *     # note: words that a note of the report must hold
 *     # says: words that the card must show
 *     # changed: what must be different afterwards, as the walker tells it, a semicolon between two of them
 *     # outside: the same for what lies outside the repository, from the folder around it
 *     # elsewhere: what else may be different where the attack had no effect: the rest of what it did, in its scope
 *     # original: what it changes in the repository out of a clone without a sandbox: a note of the report must name it
 *     # git: the same for git's own data, from its folder; where it says nothing, all of that is as it was
 *     # stays: parts of git's own data, by their paths in its folder, in which honest work may leave anything
 *     # kind: the repository that it is let loose on: `stage`, that of `relais drill`, where it says nothing, else one of
 *       test/support/repositories.ts. On these an honest program is wanted to change what it changes without relais
 *     # needs: root | user | linux | chattr | mount | make | python | sandbox (only a sandbox could hold it: it is told and not stopped)
 *     # task: JSON laid over the usual task           # config: JSON laid over the usual configuration
 *     # files: JSON of further files in the repository, by name
 *     # env: JSON of further variables that relais is started with
 *     # before: a command that makes the repository ready
 *     # afterwards: a command that must succeed in the repository when the tick has ended
 *     # recovered: yes, where the tick is cut short and `relais recover` must bring it to that end; asked, where it must
 *       refuse to do so until a person says yes
 *     # commits: yes, where the tick makes a commit of exactly the changed paths
 *     # next: the code of a second tick, by a builder that does the task as it should
 *     # fails: yes, where the program itself ends badly
 *     # driver: kernel, where the end shows only if nobody ends its processes and nobody looks at its exit; tick, where it
 *       takes a whole tick: its checks, results, records or limits. Both drivers try all others
 *     # ship: yes, where `relais drill` brings it
 */
import { InvariantError } from "../../base/errors.ts";

const NEEDS = ["nothing", "root", "user", "linux", "chattr", "mount", "make", "python", "sandbox"] as const;
const YES = ["yes"] as const;

export interface HostileBuilder {
  /** Class and name: `git/commit`. */
  readonly id: string;
  readonly class: string;
  readonly does: string;
  readonly file: string;
  /** Its whole text. */
  readonly program: string;
  readonly expect: readonly string[];
  readonly cause: string | null;
  readonly finding: string | null;
  readonly note: string | null;
  readonly says: string | null;
  readonly changed: readonly string[];
  readonly elsewhere: readonly string[];
  readonly original: readonly string[];
  readonly outside: readonly string[];
  readonly git: readonly string[];
  readonly stays: readonly string[];
  readonly kind: string;
  readonly needs: (typeof NEEDS)[number];
  readonly task: object;
  readonly config: object;
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly before: string | null;
  readonly afterwards: string | null;
  readonly recovered: "yes" | "asked" | null;
  readonly commits: boolean;
  readonly next: string | null;
  readonly fails: boolean;
  readonly driver: "kernel" | "tick" | null;
  readonly isShipped: boolean;
}

const HEADERS = [
  "expect",
  "cause",
  "finding",
  "note",
  "says",
  "changed",
  "elsewhere",
  "original",
  "outside",
  "git",
  "stays",
  "kind",
  "needs",
  "task",
  "config",
  "files",
  "env",
  "before",
  "afterwards",
  "recovered",
  "commits",
  "next",
  "fails",
  "driver",
  "ship",
];

/** Reads a builder from its path below the folder of all of them, and its text. */
export function readBuilder(name: string, program: string): HostileBuilder {
  const { does, headers } = readHeaders(name, program);
  const { json, text, texts, choice } = readers(name, headers);
  const expect = (text("expect") ?? "").split(", ");
  if (expect.includes("") || does === "") throw new InvariantError(`${name}: it must say what it does and expects`);
  const changed = text("changed") ?? (expect.includes("SUCCESS") ? "src/main.ts: content" : "");
  return {
    id: name.replace(/\.[a-z]+$/u, ""),
    class: name.replace(/\/.*$/u, ""),
    does,
    file: name,
    program,
    expect,
    cause: text("cause"),
    finding: text("finding"),
    note: text("note"),
    says: text("says"),
    changed: list(changed),
    elsewhere: texts("elsewhere"),
    original: texts("original"),
    outside: texts("outside"),
    git: texts("git"),
    stays: texts("stays"),
    kind: text("kind") ?? "stage",
    needs: choice("needs", NEEDS) ?? "nothing",
    task: json("task"),
    config: json("config"),
    files: json("files"),
    env: json("env"),
    before: text("before"),
    afterwards: text("afterwards"),
    recovered: choice("recovered", ["yes", "asked"]),
    commits: choice("commits", YES) !== null,
    next: text("next"),
    fails: choice("fails", YES) !== null,
    driver: choice("driver", ["kernel", "tick"]),
    isShipped: choice("ship", YES) !== null,
  };
}

function readers(file: string, headers: ReadonlyMap<string, string>) {
  const text = (name: string): string | null => headers.get(name) ?? null;
  const json = (name: string): Readonly<Record<string, string>> => {
    try {
      return JSON.parse(headers.get(name) ?? "{}");
    } catch {
      throw new InvariantError(`${file}: the header ${name} is no JSON`);
    }
  };
  const choice = <const T extends string>(name: string, choices: readonly T[]): T | null => {
    const value = text(name);
    const chosen = choices.find((candidate) => candidate === value) ?? null;
    if (value !== chosen) throw new InvariantError(`${file}: ${name} is none of ${choices.join(", ")}`);
    return chosen;
  };
  return { text, json, texts: (name: string) => list(text(name) ?? ""), choice };
}

function readHeaders(file: string, program: string) {
  const headers = new Map<string, string>();
  let does = "";
  for (const line of program.split("\n")) {
    const comment = /^(?:#|\/\/) (.+)$/u.exec(line)?.[1];
    if (comment === undefined) break;
    const [, name, value] = /^([a-z]+): (.+)$/u.exec(comment) ?? [];
    if (name === undefined || value === undefined) {
      does ||= comment;
      continue;
    }
    if (!HEADERS.includes(name)) throw new InvariantError(`${file}: there is no header ${name}`);
    headers.set(name, value);
  }
  return { does, headers };
}

function list(text: string): string[] {
  return text
    .split(";")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
