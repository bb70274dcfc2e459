/** Finds out what a name stands for: a branch, the branch of a job, or a reverted run. */
import type { CommandFailure } from "../records/command-failure.ts";
import { findRun } from "../journal/pure/journal-runs.ts";
import { findCommit } from "../git/find-commit.ts";
import { listSalvage } from "../keep/salvage.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { WorkspaceRequest } from "../workspace/workspace.ts";
import type { LandingSource } from "./land-change.ts";

/** A branch wins over a run with the same letters; any other revision comes last. */
export function findLanding(request: WorkspaceRequest, name: string): Promise<LandingSource | Misuse | CommandFailure> {
  return withSnapshot(request, async (place) => {
    const { repository, config } = place;
    const { signal } = request;
    for (const branch of [name, `${config.git.branch_prefix}${name}`]) {
      const revision = `refs/heads/${branch}`;
      if ((await findCommit(revision, { repository, signal })) !== null)
        return { kind: "range", name: branch, revision } as const;
    }
    const known = (await listSalvage(place)).map(({ runId }) => runId);
    const found = findRun(name, known);
    if (found.kind === "run") return { kind: "salvage", runId: found.runId } as const;
    if (found.kind === "several") return reportMisuse(`"${name}" matches several ticks`, found.runIds.slice(0, 10));
    if ((await findCommit(name, { repository, signal })) !== null)
      return { kind: "range", name, revision: name } as const;
    return reportMisuse(`there is no branch, job or saved run "${name}"`);
  });
}
