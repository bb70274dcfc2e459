import type { Attempt } from "../records/attempts.ts";
import type { Task } from "../records/task.ts";
import { type Code, CODES } from "../base/codes.ts";
import type { BegunAttempt } from "../tick/pure/attempt-report.ts";
import type { AttemptsEnd, RunningTick } from "../tick/running-tick.ts";
import type { JobPlace } from "./job-workspace.ts";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { isWrittenByRelais } from "../config/workspace-layout.ts";
import { decodePath } from "../base/path-names.ts";
import { makeFolders } from "../system/folders.ts";
import { toBytePath } from "../system/byte-path.ts";
import { makeCloneGitData } from "../git/clone-git-data.ts";
import type { Repository } from "../git/repository-layout.ts";
import { walk } from "../system/walk.ts";
import { copyTree } from "../sandbox/copy-tree.ts";
import { makeJobFolder } from "../journal/job-folder.ts";

/** What one attempt came to, and what can be done with its work. */

export interface EndedAttempt {
  readonly session: RunningTick;
  readonly place: JobPlace;
  readonly begun: BegunAttempt;
  /** The last document that it printed. */
  readonly document: Readonly<Record<string, unknown>> | null;
}

export interface MadeAttempt {
  readonly attempt: Attempt;
  readonly summary: string | null;
  /** Why it failed; null or absent says no more than the code. */
  readonly reason?: string | null;
  /** When a service that refused it answers again. */
  readonly until?: string | undefined;
  /** Keeps the work for later, and says where. */
  readonly keep: (task: Task) => Promise<Partial<Attempt>>;
  /** The work as the change of the tick. */
  readonly adopt: () => Promise<Pick<AttemptsEnd, "moves" | "commits">>;
}

export type ReadAttempt = (ended: EndedAttempt) => Promise<MadeAttempt>;

/** One that left nothing. */
export const NO_WORK: Pick<MadeAttempt, "keep" | "adopt"> = {
  keep: async () => ({}),
  adopt: async () => ({ moves: [], commits: null }),
};

/** A failure has a code, too; a process that was killed has nothing. */
export function readFailure(document: EndedAttempt["document"]): Pick<Attempt, "verdict" | "code"> {
  const code = document?.["code"];
  const known: Code = typeof code === "string" && isCode(code) ? code : "STOP_INTERRUPTED";
  return { code: known, verdict: CODES[known].verdict };
}

function isCode(code: string): code is Code {
  return Object.hasOwn(CODES, code);
}

export async function prepareAttempt(
  place: JobPlace,
  repository: Repository,
  config: Config /** Texts that the command reads, by name. */,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const make = async (folder: string): Promise<void> => {
    makeFolders(folder, 0o700);
    const from = toBytePath(repository.root);
    const { manifest } = walk({ folder: from, earlier: null, skipTopLevel: (name) => name === ".git", force: false });
    // Its lock and its history belong to the original.
    const copied = [...manifest].filter(([path]) => !isWrittenByRelais(decodePath(path).text, config));
    await copyTree({ from, to: toBytePath(folder), manifest: new Map(copied) });
    await makeCloneGitData(repository, join(folder, ".git"));
  };
  await makeJobFolder(place, { token: "1", make, note: "", ignored: {}, files });
}
