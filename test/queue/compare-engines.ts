/** The findings of one change by both engines, and in what they differ. */
import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import type { Change, Evidence, Rules } from "../../src/records/evidence.ts";
import type { Finding } from "../../src/records/judgement.ts";
import { MeasurementError } from "../../src/base/errors.ts";
import { RECORD_VERSION } from "../../src/base/record-version.ts";
import { judge } from "../../src/judge/pure/judge.ts";
import { readHead } from "../../src/git/head.ts";
import type { Repository } from "../../src/git/repository-layout.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { measure } from "../../src/judge/judge-measure.ts";

/** A finding that only one engine has, with what its evidence says of the path. */
export interface LoneFinding {
  readonly gate: string;
  readonly code: string;
  readonly subject: string;
  readonly change: Change | null;
  /** Whether something lay there before the program ran. */
  readonly wasThere: boolean;
  /** Whether the folder of the working tree is something else now. */
  readonly isRootReplaced: boolean;
  /** Whether git ignores the path by the rules of now. */
  readonly isIgnoredNow: boolean;
  /** Whether the index says that the path is not checked out. */
  readonly isSkipped: boolean;
  /** Whether a commit would hold the same content as before, after line-end settings and filters. */
  readonly isSameForGit: boolean;
}

export interface EngineReport {
  readonly id: string;
  readonly error: string | null;
  /** Whether the tick refuses the change. */
  readonly isRefused: boolean;
  /** Why `relais judge` gave no answer at all. */
  readonly unmeasured: string | null;
  readonly onlyTick: readonly LoneFinding[];
  readonly onlyJudge: readonly LoneFinding[];
  /** How many findings both have. */
  readonly shared: number;
}

export interface Before {
  readonly commit: string;
  /** Every path of the working tree. */
  readonly paths: ReadonlySet<string>;
  readonly changes: readonly Change[];
}

/** What `relais judge` sees before the program runs: the change that somebody else made. */
export async function measureBefore(repository: Repository): Promise<Before> {
  const { commit } = await readHead(repository);
  if (commit === null) throw new Error("there is no commit to compare with");
  const paths = new Set(readdirSync(repository.root, { recursive: true, encoding: "utf8" }));
  return { commit, paths, changes: await measureWorktree(repository, commit) };
}

async function measureWorktree(
  repository: Repository,
  base: string,
  rules: Rules | null = null,
): Promise<readonly Change[]> {
  const source = { commit: base, mayBeOnDisk: true };
  const subject = { kind: "worktree", base, otherBases: [], head: null, rules: source } as const;
  const decide = async () => ({ rules });
  return (await measure({ repository, subject, signal: undefined, decide })).changes;
}

interface Comparison {
  readonly repository: Repository;
  /** That of the tick. */
  readonly evidence: Evidence;
  readonly before: Before;
}

export async function compareEngines(comparison: Comparison): Promise<Omit<EngineReport, "id">> {
  const { repository, evidence, before } = comparison;
  const isRefused = judge(evidence).verdict === "stop";
  const nothing = { error: null, isRefused, onlyTick: [], onlyJudge: [], shared: 0 };
  try {
    const known = new Set(before.changes.map((change) => JSON.stringify(change)));
    const changes = (await measureWorktree(repository, before.commit, evidence.rules)).filter(
      (change) => !known.has(JSON.stringify(change)),
    );
    const judged: Evidence = {
      version: RECORD_VERSION,
      rules: evidence.rules,
      builder_failure: null,
      head: null,
      metadata: [],
      changes: [...changes],
      attributes_touched: { count: 0, paths: [] },
    };
    return { ...nothing, unmeasured: null, ...differencesOf(comparison, judged) };
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    return { ...nothing, unmeasured: error.message };
  }
}

function differencesOf(comparison: Comparison, judged: Evidence) {
  const { evidence: tick, before } = comparison;
  const [ofTick, ofJudge] = [judge(tick).findings, judge(judged).findings];
  const [tickNames, judgeNames] = [new Set(ofTick.map(nameOf)), new Set(ofJudge.map(nameOf))];
  const alone = (findings: readonly Finding[], others: ReadonlySet<string>, { changes }: Evidence) =>
    findings
      .filter((finding) => !others.has(nameOf(finding)))
      .map(({ gate, code, subject }) => {
        const change = changes.find(({ path }) => path === subject) ?? null;
        const wasThere = before.paths.has(subject);
        return { gate, code, subject, change, wasThere, ...standingNow(comparison, change) };
      });
  return {
    onlyTick: alone(ofTick, judgeNames, tick),
    onlyJudge: alone(ofJudge, tickNames, judged),
    shared: ofTick.filter((finding) => judgeNames.has(nameOf(finding))).length,
  };
}

/** What git says of a path now. */
function standingNow({ repository: { root }, before }: Comparison, change: Change | null) {
  const git = (...args: string[]) =>
    spawnSync("git", args, { cwd: root, env: gitEnvironment(root), encoding: "latin1" });
  const isReplaced = !lstatSync(root).isDirectory();
  if (change === null)
    return { isRootReplaced: isReplaced, isIgnoredNow: false, isSkipped: false, isSameForGit: false };
  const { path, path_base64 } = change;
  const name = Buffer.from(path_base64 ?? path, path_base64 === null ? "utf8" : "base64").toString("latin1");
  const stored = git("hash-object", `--path=${path}`, "--", path).stdout.trim();
  const committed = git("rev-parse", "--verify", "--quiet", `${before.commit}:${path}`).stdout.trim();
  return {
    isRootReplaced: isReplaced,
    isIgnoredNow: git("check-ignore", "--quiet", "--", path).status === 0,
    isSkipped: git("ls-files", "-t", "-z").stdout.split("\0").includes(`S ${name}`),
    isSameForGit: stored !== "" && stored === committed,
  };
}

function nameOf({ gate, code, subject }: Finding): string {
  return `${gate} ${code} ${subject}`;
}
