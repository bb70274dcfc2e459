import { join } from "node:path";
import type { TickChange } from "../records/tick-change.ts";
import type { Observation } from "../base/manifest.ts";
import { chooseKeptFiles, type KeepLimits } from "../judge/pure/kept-files.ts";
import { combineRules } from "../judge/pure/combine-rules.ts";
import { findPairPatch, storePair } from "../store/change-pair.ts";
import { openContentStore } from "../store/content-store.ts";
import { toBytePath } from "../system/byte-path.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { findMountedTree, locatePlace } from "../sandbox/place-folder.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { collectEvidence } from "../evidence/collect-evidence.ts";
import { lookAtGitData } from "../evidence/git-look.ts";
import { readGrowthCaps } from "../place/growth-caps.ts";
import { lookAtOverlay, type OverlayLayers } from "../place/overlay-look.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";

const MIB = 1024 * 1024;
const LIMITS: KeepLimits = { filesMax: 20_000, fileBytesMax: 16 * MIB, totalBytesMax: 64 * MIB };
const REF = "refs/relais/shown";
/** Nobody asks for these. */
const UNSHOWN: ReadonlySet<string> = new Set(["ignored", "runner_owned"]);

type ShownChange = Pick<TickChange, "patch" | "leftOut">;

/**
 * The change so far in the overlay of a running tick; null where it is not mounted. It is read as the tick itself does,
 * into a store of its own: nothing of the tick is written, and no filter runs on content that nobody has judged.
 */
export async function readOverlayChange(around: WorkspaceSnapshot, runId: string): Promise<ShownChange | null> {
  const layers = locateMounted(around, runId);
  if (layers === null) return null;
  const { repository, config } = around;
  const { environment } = repository;
  return withTemporaryFolder(environment, async (folder) => {
    const store = await openContentStore(folder, environment);
    const caps = readGrowthCaps({ config });
    const look = await lookAtOverlay({ layers, store, earlier: null, afterBuild: false, caps });
    const side = (worktree: Observation["worktree"]): Observation => ({
      takenAt: look.takenAt,
      git,
      worktree: new Map([...worktree, ...look.around]),
    });
    const git = lookAtGitData(repository);
    const evidence = await collectEvidence({
      repository,
      store,
      userExcludesFile: (await readFilterSettings(repository)).excludesFile,
      rules: { ...combineRules(config, null), forbidden_globs: [] },
      before: side(look.before),
      after: side(look.after),
    });
    const { files, leftOut } = chooseKeptFiles(evidence, LIMITS);
    await storePair(
      store,
      REF,
      files.map((file) => ({ path: decodeChangePath(file), before: file.before, after: file.after })),
    );
    const patch = (await findPairPatch(folder, REF, environment)) ?? Buffer.alloc(0);
    return { patch, leftOut: leftOut.filter(({ reason }) => !UNSHOWN.has(reason)) };
  });
}

function locateMounted({ repository, stateDirectory }: WorkspaceSnapshot, runId: string): OverlayLayers | null {
  const merged = findMountedTree(stateDirectory, runId, repository.root);
  if (merged === null) return null;
  return {
    lower: toBytePath(repository.root),
    upper: toBytePath(join(locatePlace(stateDirectory, runId), "upper")),
    merged: toBytePath(merged),
  };
}
