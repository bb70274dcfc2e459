/**
 * The commands that make dependencies anew from a changed lockfile. What a builder installed may hold anything; the
 * checks are to see what everybody else gets.
 */
import type { Evidence } from "../../records/evidence.ts";
import { installsDependencies } from "../../records/dependencies.ts";

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
