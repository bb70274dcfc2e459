/** The commands of a page of the docs, done exactly as they are written there, by somebody who has relais installed. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "./relais.ts";
import { gitEnvironment } from "./repositories.ts";
import { scratchFolder } from "./scratch-repository.ts";

/** The blocks of commands of a page, in their order. */
export function blocksOf(page: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, "../../docs", page), "utf8");
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] ?? "");
}

interface Typed {
  readonly said: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Types them in an empty folder of this name. */
export function typeCommands(blocks: readonly string[], name: string): Typed {
  const box = scratchFolder();
  const cwd = join(box, name);
  const bin = join(box, "bin");
  for (const folder of [bin, cwd]) mkdirSync(folder);
  writeFileSync(join(bin, "relais"), `#!/bin/sh\nexec "${process.execPath}" "${executable}" "$@"\n`);
  chmodSync(join(bin, "relais"), 0o755);
  const environment = gitEnvironment(box);
  const path = `${bin}:${join(process.execPath, "..")}:${environment["PATH"] ?? ""}`;
  const env = { ...environment, PATH: path, XDG_STATE_HOME: join(box, "state") };
  const said = execFileSync("sh", ["-e", "-c", blocks.join("\n")], { cwd, env, encoding: "utf8" });
  return { said, cwd, env };
}
