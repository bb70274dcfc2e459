import { isRecord } from "../../base/quantity.ts";
import type { Evidence } from "../../records/evidence.ts";
import { installsDependencies } from "../../records/dependencies.ts";

/**
 * The text of a first configuration: one line for each choice, as long as it fits.
 *
 * It is what Prettier makes of it with its defaults, because many projects check the format of every file.
 */

const COLUMNS = 80;
const STEP = "  ";

export function formatConfig(document: Readonly<Record<string, unknown>>): string {
  return `${spread(document, "")}\n`;
}

/** A whole line, or several: how it begins, its value, and the comma after it. */
function writeLine(begin: string, value: unknown, comma: string): string {
  const flat = `${begin}${flatten(value)}${comma}`;
  if (flat.length <= COLUMNS && !isTable(value)) return flat;
  return `${begin}${spread(value, /^ */.exec(begin)?.[0] ?? "")}${comma}`;
}

function flatten(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatten).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${flatten(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function spread(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    const lines = value.map((member): Line => [`${indent}${STEP}`, member]);
    return `[\n${joinLines(lines)}\n${indent}]`;
  }
  if (!isRecord(value)) return JSON.stringify(value);
  const lines = Object.entries(value).map(([name, member]): Line => [
    `${indent}${STEP}${JSON.stringify(name)}: `,
    member,
  ]);
  return `{\n${joinLines(lines)}\n${indent}}`;
}

type Line = readonly [begin: string, value: unknown];

function joinLines(lines: readonly Line[]): string {
  return lines.map(([begin, value], at) => writeLine(begin, value, at === lines.length - 1 ? "" : ",")).join("\n");
}

/** Several objects below each other; so is everything around them. */
function isTable(value: unknown): boolean {
  if (Array.isArray(value))
    return (
      value.some(isTable) ||
      (value.length > 1 && value.every((member) => isRecord(member) && Object.keys(member).length > 1))
    );
  return isRecord(value) && Object.values(value).some(isTable);
}

/** One line of `relais doctor`. */
export interface DoctorCheck {
  readonly subject: string;
  /** `warn` stops nothing; with `fail`, some part of relais will not work. */
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
  readonly problems: readonly string[];
  readonly fix: string | null;
}

export function ok(subject: string, message: string): DoctorCheck {
  return { subject, status: "ok", message, problems: [], fix: null };
}

type CheckProblem = Pick<DoctorCheck, "message"> & { readonly fix: string; readonly problems?: readonly string[] };

const report =
  (status: "warn" | "fail") =>
  (subject: string, { message, fix, problems = [] }: CheckProblem): DoctorCheck => ({
    subject,
    status,
    message,
    problems,
    fix,
  });

export const warn = report("warn");
export const fail = report("fail");

/**
 * The commands that make dependencies anew from a changed lockfile. What a builder installed may hold anything; the
 * checks are to see what everybody else gets.
 */

export interface InstallCommand {
  readonly cmd: string;
  readonly args: readonly string[];
  /** The folder that it makes, from the root of the worktree. */
  readonly makes: string;
}

/** By the name of the lockfile; the folder is added. A builder may call a file as something that every object has. */
const COMMANDS: ReadonlyMap<string, readonly [string, ...string[]]> = new Map([
  ["package-lock.json", ["npm", "ci", "--no-audit", "--no-fund", "--prefix"]],
  ["npm-shrinkwrap.json", ["npm", "ci", "--no-audit", "--no-fund", "--prefix"]],
  ["pnpm-lock.yaml", ["pnpm", "install", "--frozen-lockfile", "--dir"]],
  ["yarn.lock", ["yarn", "install", "--frozen-lockfile", "--cwd"]],
]);

export function listInstallCommands({
  changes,
  rules,
}: Pick<Evidence, "changes" | "rules">): readonly InstallCommand[] {
  if (!installsDependencies(changes, rules)) return [];
  return changes.flatMap(({ path, after }) => {
    const at = path.lastIndexOf("/");
    const command = COMMANDS.get(path.slice(at + 1));
    if (command === undefined || after?.type !== "file") return [];
    const [cmd, ...args] = command;
    const folder = at === -1 ? "." : path.slice(0, at);
    return [{ cmd, args: [...args, folder], makes: at === -1 ? "node_modules" : `${folder}/node_modules` }];
  });
}
