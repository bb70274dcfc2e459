/** A repository for `relais drill`, and the command as a process. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { environmentOf, executable } from "./relais.ts";
import { gitEnvironment } from "./repositories.ts";
import { scratchFolder } from "./scratch-repository.ts";
import { walk } from "./walker.ts";

interface PrintedDrill {
  readonly ok: boolean;
  readonly places: readonly { readonly place: string }[];
  readonly results: readonly {
    readonly id: string;
    readonly class: string;
    readonly outcome: string;
    readonly code: string | null;
    readonly details: readonly string[];
    readonly setting: { readonly key: string; readonly value: unknown } | null;
  }[];
}

/** A repository with a commit, and a folder for temporary files that must be empty afterwards. */
export function makeDrillGround(config: object | null = null) {
  const box = realpathSync(scratchFolder());
  const [root, temporary] = [join(box, "repo"), join(box, "tmp")];
  for (const folder of [root, temporary]) mkdirSync(folder);
  writeFileSync(join(root, "main.c"), "int main(void) { return 0; }\n");
  if (config !== null) writeFileSync(join(root, "relais.config.json"), JSON.stringify(config));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env: gitEnvironment(box) });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  return { box, root, temporary, look: () => walk({ folder: box, worktrees: ["repo"] }) };
}

type Ground = ReturnType<typeof makeDrillGround>;

export function startDrill({ box, root, temporary }: Ground, args: readonly string[], program = executable) {
  const env = { ...environmentOf({ cwd: box }), TMPDIR: temporary };
  return spawn(process.execPath, [program, "drill", ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
}

export async function runDrillIn(ground: Ground, args: readonly string[], program = executable) {
  const child = startDrill(ground, args, program);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

export const parseDrill = (stdout: string): PrintedDrill => JSON.parse(stdout);
export const OUTSIDE = ["--case", "files/outside-the-scope"];
