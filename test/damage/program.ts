/**
 * A damage is a small program in `programs/<class>/`, and everything that the harness must know about it stands in the
 * comment lines at its top. Adding one is adding one file.
 *
 *     # What it does, in one sentence.
 *     # expect: the code it must end with; where several are right, all of them, the likeliest first
 *     # repository: the kind of repository it is let loose on (plain)
 *     # needs: root | chattr | linux
 *     # allowed: globs instead of the usual scope      # allow-new-files: no      # ignored: forbid
 *     # fails: yes, where the program itself is to end badly
 *     # before: a command that makes the repository ready; such a repository is used for this program only
 *     # note: words that the judgement must tell
 *     # stays: for honest work, the parts of the git directory that a merge must not put back
 *     # afterwards: a command that must succeed when everything was undone
 */
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { type RepositoryKind, isRepositoryKind } from "../support/repositories.ts";

export interface Program {
  /** Class and name: `history/commit`. */
  readonly id: string;
  readonly file: string;
  readonly expect: readonly string[];
  readonly repository: RepositoryKind;
  readonly needs: "nothing" | "root" | "chattr" | "linux";
  readonly allowed: readonly string[];
  readonly allowNewFiles: boolean;
  readonly ignored: "report" | "forbid";
  readonly fails: boolean;
  readonly before: string | null;
  readonly note: string | null;
  readonly stays: readonly string[];
  readonly afterwards: string | null;
}

const HEADERS = [
  "expect",
  "repository",
  "needs",
  "allowed",
  "allow-new-files",
  "ignored",
  "fails",
  "before",
  "note",
  "stays",
  "afterwards",
];
const USUAL_SCOPE = "src/**, tests/**, README.md";

/** Finds every program below a folder, in a stable order. */
export function discoverPrograms(folder: string): Program[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => [".sh", ".mjs"].includes(extname(name)))
    .toSorted()
    .map((name) => readProgram(folder, name));
}

function readProgram(folder: string, name: string): Program {
  const file = join(folder, name);
  const headers = readHeaders(file);
  const repository = headers.get("repository") ?? "plain";
  if (!isRepositoryKind(repository)) throw new Error(`${file}: there is no repository of the kind ${repository}`);
  return {
    id: `${dirname(name)}/${basename(name, extname(name))}`,
    file: name,
    expect: list(headers.get("expect") ?? ""),
    repository,
    needs: oneOf(headers.get("needs") ?? "nothing", ["nothing", "root", "chattr", "linux"]),
    allowed: list(headers.get("allowed") ?? USUAL_SCOPE),
    allowNewFiles: oneOf(headers.get("allow-new-files") ?? "yes", ["yes", "no"]) === "yes",
    ignored: oneOf(headers.get("ignored") ?? "report", ["report", "forbid"]),
    fails: oneOf(headers.get("fails") ?? "no", ["yes", "no"]) === "yes",
    ...surroundings(headers),
  };
}

function surroundings(headers: Map<string, string>) {
  return {
    before: headers.get("before") ?? null,
    note: headers.get("note") ?? null,
    stays: headers.has("stays") ? list(headers.get("stays") ?? "") : [],
    afterwards: headers.get("afterwards") ?? null,
  };
}

function readHeaders(file: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [, name, value] = /^(?:#|\/\/) ([a-z-]+): (.+)$/u.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (!HEADERS.includes(name)) throw new Error(`${file}: there is no header ${name}`);
    headers.set(name, value);
  }
  if (!headers.has("expect")) throw new Error(`${file}: a program must say what to expect`);
  return headers;
}

function list(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}

function oneOf<const T extends string>(value: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw new Error(`${value} is none of ${choices.join(", ")}`);
  return choice;
}
