/** A repository in which a builder works between two observations, ready to be settled. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Evidence } from "../../src/records/evidence.ts";
import { commitIdentity } from "../../src/store/commit-identity.ts";
import { type ContentStore, openContentStore } from "../../src/store/content-store.ts";
import { readFilterSettings } from "../../src/git/filter-settings.ts";
import { findRepository, type Repository } from "../../src/git/repository-layout.ts";
import type { Workplace } from "../../src/place/workplace.ts";
import { openInPlace } from "../../src/place/in-place.ts";
import type { CommitRequest } from "../../src/keep/settle-commit.ts";
import { rules } from "./evidence.ts";
import { openScratch, type ScratchRepository, scratchRepository } from "./scratch-repository.ts";

export interface Worked {
  readonly scratch: ScratchRepository;
  readonly repository: Repository;
  readonly state: string;
  readonly store: ContentStore;
  readonly place: Workplace;
  readonly evidence: Evidence;
  readonly base: string;
  /** Everything that a commit of this work needs. */
  readonly request: CommitRequest;
}

export const RUN_ID = "20260101T000000Z-0a1b2c3d";

/** Settings and identity are read first, then the work happens, then the evidence is taken. */
export async function work(
  scratch: ScratchRepository,
  build: () => void,
  overrides: Parameters<typeof rules>[0] = {},
): Promise<Worked> {
  const found = await findRepository(scratch.root, process.env);
  if (found.kind !== "repository") throw new Error("the fixture is no repository");
  const state = join(scratch.box, "state");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const settings = await readFilterSettings(found);
  const identity = await commitIdentity(found);
  const place = await openInPlace({
    repository: found,
    stateDirectory: state,
    runDirectory: state,
    userExcludesFile: null,
  });
  await place.change.prepare();
  const base = scratch.git("rev-parse", "HEAD");
  const branch = scratch.git("symbolic-ref", "HEAD");
  build();
  const { evidence } = await place.change.collect(rules({ allowed_globs: ["**"], ...overrides }));
  const store = await openContentStore(state, process.env);
  return {
    scratch,
    repository: found,
    state,
    store,
    place,
    evidence,
    base,
    request: {
      repository: found,
      store,
      settings,
      identity,
      base,
      headText: `ref: ${branch}`,
      changes: evidence.changes,
      message: "chore(relais): test\n",
      reason: "relais: task-1",
      hooks: null,
      privateRoot: join(state, "runs"),
    },
  };
}

/** A scratch repository whose own configuration names a user. */
export function owned(files: Readonly<Record<string, string | Buffer>>): ScratchRepository {
  const scratch = scratchRepository(files);
  scratch.git("config", "user.name", "Ada Lovelace");
  scratch.git("config", "user.email", "ada@example.org");
  return scratch;
}

/** A linked worktree of a scratch repository, on a branch of its own. */
export function linkedWorktree(scratch: ScratchRepository): ScratchRepository {
  scratch.git("worktree", "add", "--quiet", "-b", "side", "../linked");
  return openScratch(scratch.box, join(scratch.box, "linked"));
}
