/**
 * What a recovery must not do without a person.
 *
 * Journal, observation and configuration of the tick come from the state directory. A builder of the same user can kill
 * relais and forge all of them together, with their hashes; only git's own objects prove anything then.
 */
import { posix } from "node:path";
import type { NotReady } from "../records/command-failure.ts";
import type { RollbackStep } from "../records/recovery.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { type Config, CONFIG_NAME, makeDefaultConfig } from "../config/config.ts";
import type { CommittedTree } from "../records/committed-tree.ts";
import type { Change, EntrySide, Evidence } from "../records/evidence.ts";
import { listCheckPrograms } from "../checks/pure/check-steering.ts";
import { RECIPE_FILES, type RecipeTexts } from "../checks/pure/recipe-commands.ts";
import { compileAllowed, compileForbidden } from "../base/globs.ts";
import { isStorableName } from "../judge/pure/kept-files.ts";
import { decodePath } from "../base/path-names.ts";
import { isRewrittenByRelais, isWrittenByRelais } from "../config/workspace-layout.ts";
import { findJudgement, findPrepared } from "../tick/pure/tick-facts.ts";
import type { TickRecord } from "../tick/pure/tick-records.ts";
import { describeRollbackSteps } from "../evidence/pure/rollback-words.ts";
import { isAsRecorded } from "../store/recorded-entry.ts";
import { isHalfRestored } from "../store/restore.ts";
import { toBytePath } from "../system/byte-path.ts";
import { listDirtyPaths } from "../git/git-status.ts";
import { hashObject, readCommittedFile, readCommittedTree } from "../git/read-committed-tree.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findWork } from "../keep/keep-work.ts";
import { listSalvaged } from "../keep/salvage.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { readRecordedEvidence } from "../journal/recorded-evidence.ts";
import type { RollbackFiles } from "../evidence/unproven-rollback.ts";
import type { OpenTick } from "../tick/running-tick.ts";
import { parseConfigText, readConfigFile } from "../workspace/config-file.ts";
import { requireRecovery } from "../workspace/journal-state.ts";

export async function listUnprovenSteps(
  session: OpenTick,
  open: TickRecord /** Null where the change could not be collected, so that nothing of it can be saved. */,
  evidence: Evidence | null /** Whether the tick is to be rolled back. */,
  restored: boolean,
): Promise<readonly RollbackStep[]> {
  if (!restored || findPrepared(open.state) === null) return listUnprovenPlaces(session);
  const committed = await readCommittedSettings(session.where.repository);
  const places = listOtherPlaces(session.tick.config, [committed.config, makeDefaultConfig()]);
  if (session.where.place.isolation !== "in_place")
    return [...places, ...(await listMergeSteps(session, open, committed))];
  const saved = await listSaved(session, evidence);
  const isTrusted = makeTrustTest(session, committed, evidence);
  // An interrupted rollback also left a copy of the file that it was writing.
  const isSaved = (path: string): boolean => saved.has(path) || isHalfRestored(posix.basename(path));
  const steps = await session.where.recovery.review({ isSaved, isTrusted });
  return [...places, ...steps];
}

/** A merge that a crash interrupted is reverted by its evidence, which could be forged as well. */
async function listMergeSteps(
  session: OpenTick,
  { state }: TickRecord,
  committed: CommittedSettings,
): Promise<readonly RollbackStep[]> {
  const judged = findJudgement(state);
  const read = judged === null ? null : await readRecordedEvidence(session.where.runDirectory, judged.evidence_sha256);
  if (read === null || read.kind === "damaged") return [];
  const { changes } = read.evidence;
  const outside = changes.filter((change) => change.path !== "" && !isStorableName(decodeChangePath(change)));
  if (outside.length > 0)
    throw new RollbackError(
      "the evidence of the tick names files that no change can have",
      outside.map(({ path }) => path),
    );
  const isTrusted = makeTrustTest(session, committed, read.evidence);
  const isRemovable = await makeRemovalTest(session, changes);
  return changes.flatMap((change) => {
    const path = decodeChangePath(change);
    const act = change.before === null ? "remove" : "write";
    const isProven = change.before === null ? isRemovable(change) : isCommittedSide(change.before, path, committed);
    return isProven || isTrusted(path, act) ? [] : [{ act, path: change.path } as const];
  });
}

/** A file that git lists as untracked, and whose content is in the place of the tick, so that salvage gets it from there. */
async function makeRemovalTest(
  { where: { repository, change: view }, pinned: { settings } }: OpenTick,
  changes: readonly Change[],
): Promise<(change: Change) => boolean> {
  if (changes.every(({ before }) => before !== null)) return () => false;
  const untracked = new Set(await listDirtyPaths({ repository, settings }));
  const held = await view.observe().catch(() => null);
  return (change) => {
    const { after } = change;
    const path = decodeChangePath(change);
    if (after === null || !isAsRecorded(toBytePath(repository.root), { path, side: after })) return true; // It stays.
    const copy = held?.worktree.get(path);
    if (!untracked.has(change.path) || copy?.type !== after.type) return false;
    return after.type === "symlink" ? copy.target === toBytePath(after.link_target ?? "") : copy.id === after.id;
  };
}

function isCommittedSide(
  { type, id, link_target, mode }: EntrySide,
  path: string,
  { tree }: Pick<CommittedSettings, "tree">,
): boolean {
  if (type === "directory") return tree?.folders.has(path) === true;
  const file = tree?.files.get(path);
  if (file === undefined) return false;
  if (type === "symlink") return hashObject("blob", Buffer.from(link_target ?? ""), file.id) === file.id;
  const special = Number.parseInt(mode, 8) & 0o7002;
  return type === "file" && id === file.id && special === 0;
}

/**
 * Files that a rollback may write and remove in any case: those that relais writes anew, and ignored build output that
 * builders may write in every tick, unless a check starts or loads it. The committed configuration says which: a forged
 * one could name every file.
 */
function makeTrustTest(
  { tick: { config: recorded } }: OpenTick,
  { config, recipes }: CommittedSettings,
  evidence: Evidence | null,
): RollbackFiles["isTrusted"] {
  const ignored = new Set(
    (evidence?.changes ?? []).filter(({ standing }) => standing === "ignored").map(decodeChangePath),
  );
  const isWritable = compileAllowed(config.ignored_writable_globs);
  const checks = [...config.verification.templates, ...recorded.verification.templates];
  const isGuarded = compileForbidden(listCheckPrograms(checks, recipes));
  return (path, act) => {
    if (isRewrittenByRelais(path, config) || (act === "remove" && isWrittenByRelais(path, config))) return true;
    const { text } = decodePath(path);
    return ignored.has(path) && isWritable(text) !== null && isGuarded(text) === null;
  };
}

/** The same where only reports are written; then the configuration of the working tree counts too, as for every command. */
export async function listUnprovenPlaces({
  tick: { config },
  where: { repository },
}: OpenTick): Promise<readonly RollbackStep[]> {
  const file = await readConfigFile(repository.root);
  const present = file.kind === "config" ? [file.config] : [];
  return listOtherPlaces(config, [(await readCommittedSettings(repository)).config, makeDefaultConfig(), ...present]);
}

/** After an interrupted rollback the earlier salvage counts, and only what it holds. */
async function listSaved(
  { tick: { runId }, where: { stateDirectory } }: OpenTick,
  evidence: Evidence | null,
): Promise<ReadonlySet<string>> {
  const now = evidence === null ? new Set<string>() : listSalvaged(evidence);
  const earlier = await findWork({ stateDirectory, lines: [] }, "salvage", runId);
  if (earlier.kind !== "found") return now;
  const kept = new Set(earlier.work.files.map(decodeChangePath));
  return new Set([...now].filter((path) => kept.has(path)));
}

/** Where relais would write its reports, if none of these configurations says so. */
function listOtherPlaces(config: Config, known: readonly Config[]): readonly RollbackStep[] {
  const folders = [config.workspace_dir, ...(config.history.enabled ? [config.history.dir] : [])];
  const usual = known.flatMap(({ workspace_dir, history }) => [workspace_dir, history.dir]);
  return folders
    .filter((folder) => !usual.includes(folder))
    .map((folder) => ({ act: "write" as const, path: `${folder}/` }));
}

const FILE_BYTES_MAX = 1024 * 1024;

interface CommittedSettings {
  /** The defaults where no usable configuration is committed. */
  readonly config: Config;
  /** The recipes that checks may call. */
  readonly recipes: RecipeTexts;
  readonly tree: CommittedTree | null;
}

async function readCommittedSettings(repository: Repository): Promise<CommittedSettings> {
  const tree = await readCommittedTree(repository);
  const read = async (name: string): Promise<Buffer | null> => {
    const file = tree?.files.get(name);
    return file === undefined ? null : readCommittedFile(repository, file, FILE_BYTES_MAX);
  };
  const data = await read(CONFIG_NAME);
  const parsed = data === null ? null : parseConfigText(data);
  const recipes = new Map<string, string>();
  for (const name of RECIPE_FILES) {
    const text = (await read(name))?.toString("utf8");
    if (text !== undefined) recipes.set(name, text);
  }
  return { config: parsed?.kind === "config" ? parsed.config : makeDefaultConfig(), recipes, tree };
}

export function refuseUnproven(runId: string, steps: readonly RollbackStep[]): NotReady {
  const message = `To revert the tick ${runId}, relais would do what git does not confirm: the files are not as committed, and the saved state may be forged.`;
  const remedy =
    "Look at the list (`--json` shows every path). `relais recover --yes` does it; `relais recover --abandon` leaves the files as they are.";
  return {
    ...requireRecovery("unproven_rollback", message, remedy),
    problems: describeRollbackSteps(steps),
    rollback: steps,
  };
}
