/**
 * Logins of agents, which may be renewed during a session.
 *
 * The folder of a login is private to the session as all others, but what is written there stays until the end. A renewed
 * login is then written back, if it has the same form as the old one and nobody else changed that one meanwhile. A
 * service may accept a renewed login only, so losing it would log the person out.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { parseJson } from "../system/parse-json.ts";
import { resolveReal } from "../system/outside-repository.ts";
import { withHome } from "../system/with-home.ts";

export interface LoginPlace {
  /** The variable that names the folder of the agent. */
  readonly variable: string;
  /** The usual folder, below HOME. */
  readonly folder: string;
  /** The file in that folder that holds the login, as JSON. */
  readonly file: string;
}

export interface KeptLogin {
  /** The folder of the agent, as a real path. */
  readonly path: string;
  /** Where the writing of the session stays. */
  readonly kept: string;
  /** Writes a renewed login back. */
  readonly writeBack: () => Promise<void>;
}

const LOGIN_BYTES_MAX = 1024 * 1024;

/** The folders of agents that exist; null for one that does not. */
export function findLoginFolder({ variable, folder }: LoginPlace, environment: Environment): string | null {
  const named = environment[variable] ?? "";
  const home = withHome(environment)["HOME"] ?? "";
  const path = resolveReal(isAbsolute(named) ? named : join(home, folder));
  return path !== null && lstatSync(path).isDirectory() ? path : null;
}

export async function keepLogin(path: string, { file }: LoginPlace, kept: string): Promise<KeptLogin> {
  for (const name of ["", "up", "work"]) mkdirSync(join(kept, name), { mode: 0o700 });
  // The real file behind a link, which a person's own tools may have put there.
  const target = resolveReal(join(path, file));
  const before = target === null ? null : await readText(target);
  return {
    path,
    kept,
    writeBack: async () => {
      const left = join(kept, "up", file);
      const isFile = lstatSync(left, { throwIfNoEntry: false })?.isFile() ?? false;
      const after = isFile ? await readText(left) : null;
      if (target === null || before === null || after === null || after === before) return;
      if (!hasSameForm(parseJson(before), parseJson(after)) || (await readText(target)) !== before) return;
      await writeAtomic(target, after, { mode: 0o600 });
    },
  };
}

/** The kernel leaves a folder there that nobody may enter. */
export function openKeptFolder(kept: string): void {
  const inner = join(kept, "work", "work");
  if (existsSync(inner)) chmodSync(inner, 0o700);
}

async function readText(path: string): Promise<string | null> {
  const read = await readBounded(path, LOGIN_BYTES_MAX);
  return read.kind === "read" ? read.data.toString("utf8") : null;
}

/** Whether both are JSON with the same keys and kinds of values. */
function hasSameForm(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one !== undefined && typeof one === typeof other && (one === null) === (other === null);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const inner = new Map(Object.entries(other));
  return (
    keys.length === others.length &&
    Object.entries(one).every(([key, value]) => inner.has(key) && hasSameForm(value, inner.get(key)))
  );
}
