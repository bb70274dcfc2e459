import type { Config } from "../config/config.ts";
import { decodePath } from "../base/path-text.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { Repository } from "../git/repository-layout.ts";
import { listMounts } from "../system/mounts.ts";
import { tryOverlay } from "../sandbox/try-overlay.ts";
import { isKnownToWork, type ProbeMemory, rememberThatItWorks } from "../system/remembered-probe.ts";
import { findCloneRefusal } from "./clone-refusal.ts";
import type { IsolationName } from "./workplace.ts";

export interface IsolationQuestion {
  readonly isolation: Config["isolation"];
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** A tick takes the word of an earlier one that an overlay works. */
  readonly remembers?: boolean;
}

/** `refusals` says why the better places are not used. */
export interface IsolationChoice {
  /** Null where the configured one cannot be had. */
  readonly isolation: IsolationName | null;
  readonly refusals: Readonly<Partial<Record<IsolationName, string>>>;
}

/** `auto` is the first place whose test passes. */
export async function chooseIsolation(question: IsolationQuestion): Promise<IsolationChoice> {
  const { isolation: wanted } = question;
  if (wanted === "in_place") return { isolation: "in_place", refusals: {} };
  const overlay = wanted === "clone" ? undefined : await findOverlayRefusal(question);
  if (overlay === null) return { isolation: "overlay", refusals: {} };
  const clone = wanted === "overlay" ? undefined : await findCloneRefusal({ ...question, isAsked: wanted === "clone" });
  const refusals = {
    ...(overlay === undefined ? {} : { overlay }),
    ...(typeof clone === "string" ? { clone } : {}),
  };
  if (clone === null) return { isolation: "clone", refusals };
  return { isolation: wanted === "auto" ? "in_place" : null, refusals };
}

export async function findOverlayRefusal({
  repository: { root, commonDir },
  stateDirectory,
  remembers = false,
}: Omit<IsolationQuestion, "isolation">): Promise<string | null> {
  if (`${stateDirectory}/`.startsWith(`${root}/`)) return `the state directory ${stateDirectory} lies in the worktree`;
  if (process.platform !== "linux") return "overlays exist on Linux only";
  // An overlay shows nothing of what is mounted in the folders below it.
  const inside = (await listMounts()).find(({ point }) => point.startsWith(`${toBytePath(root)}/`));
  if (inside !== undefined) return `something is mounted in the worktree, at ${decodePath(inside.point).text}`;
  if (root.startsWith(`${commonDir}/`)) return "the worktree lies in git's own folder";
  return remembers ? tryUnlessKnown(stateDirectory) : tryOverlay(stateDirectory);
}

async function tryUnlessKnown(stateDirectory: string): Promise<string | null> {
  const memory: ProbeMemory = { stateDirectory, name: "overlay" };
  const subject = { about: null, files: [stateDirectory] };
  if (isKnownToWork(memory, subject)) return null;
  const refusal = await tryOverlay(stateDirectory);
  if (refusal === null) rememberThatItWorks(memory, subject);
  return refusal;
}
