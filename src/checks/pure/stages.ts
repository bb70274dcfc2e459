/**
 * How a change is verified: stages, one after the other, up to the first that finds something.
 *
 * Each runs checks on another content of the place. The change comes first, as it would be committed. Then come the
 * tests and settings from before the build, so that a builder cannot pass by changing its own tests; new tests on the
 * code from before the build, because a test that passes there, too, says nothing about the work; and the checks that no
 * agent sees.
 */
import type { RuleSetting } from "../../base/check-rules.ts";
import type { Entry } from "../../base/manifest.ts";
import type { Change, Evidence } from "../../records/evidence.ts";
import type { VerificationRun } from "../../records/report.ts";
import type { HeldOutFile } from "./held-out.ts";
import type { PinnedPaths } from "./oracle.ts";
import type { Check } from "./verification-plan.ts";

interface StageParts {
  readonly checks: readonly Check[];
  /** Whether the place is restored afterwards, because the checks do not run on it as it is. */
  readonly isTrial: boolean;
  /** Whether the place holds what was judged, so that nobody has to look again. */
  readonly holdsJudged: boolean;
  /** Changes that the checks do not see: these paths are as before the build meanwhile. */
  readonly hidden: readonly Change[];
  /** Of hidden manifests, of which a part belongs to the new code, the new texts by path; known when the stage is due. */
  readonly manifests: ReadonlyMap<string, string>;
  /** In the place only meanwhile. */
  readonly files: readonly HeldOutFile[];
  /** The runs before the build; null where these are not compared with any. */
  readonly base: readonly VerificationRun[] | null;
  /** Whether a check may fail that failed before. */
  readonly inherits: boolean;
}

const TRIAL: Omit<StageParts, "checks"> = {
  isTrial: true,
  holdsJudged: false,
  hidden: [],
  manifests: new Map(),
  files: [],
  base: null,
  inherits: false,
};

/** Before the build; all checks run, however the first ones end. */
interface BaseStage extends StageParts {
  readonly name: "base";
}

export const planBase = (checks: readonly Check[]): BaseStage => ({ ...TRIAL, name: "base", checks });

interface ChangeStage extends StageParts {
  readonly name: "change";
  /** The change without what is hidden. */
  readonly evidence: Evidence;
  /** Whether the tick continues after a failed check, so that the files of the checks must be known. */
  readonly outlivesRed: boolean;
  /** Whether fewer tests than before are a note; null where nobody compares them. */
  readonly mayTestsGo: boolean | null;
}

/** A failed check once more, with the ignored files of the builder. */
interface IgnoredStage extends StageParts {
  readonly name: "ignored";
  readonly example: string;
}

interface OldTestsStage extends StageParts {
  readonly name: "old_tests";
  readonly changed: readonly string[];
  /** Whether a person asked for other tests, so that it is a question if the old ones fail. */
  readonly isAsked: boolean;
}

export interface NewTestsStage extends StageParts {
  readonly name: "new_tests";
  /** What the configuration or the task says; null decides by whether the task asks for a proof. */
  readonly setting: RuleSetting | null;
  readonly asksForProof: boolean;
  /** The new tests, known when the stage is due. */
  readonly tests: readonly string[];
}

interface HeldOutStage extends StageParts {
  readonly name: "held_out";
}

/** By byte path; null where the commit has nothing. */
export type CommittedEntries = ReadonlyMap<string, Entry | null>;

/** On the base commit and the change alone, as a commit would hold them. */
interface CommittedStage extends StageParts {
  readonly name: "committed";
  /** What a person had not committed, as the commit has it. */
  readonly instead: CommittedEntries;
}

export type VerifyStage = ChangeStage | IgnoredStage | OldTestsStage | NewTestsStage | HeldOutStage | CommittedStage;
export type CheckStage = BaseStage | VerifyStage;
export type VerifyStages = readonly [ChangeStage, ...VerifyStage[]];

interface AskedStages {
  readonly evidence: Evidence;
  readonly checks: readonly Check[];
  /** What the checks must not take from the builder. */
  readonly pinned: PinnedPaths;
  readonly heldOut: Pick<StageParts, "checks" | "files" | "hidden">;
  /** What a person had not committed, as the commit has it; empty where the tree was clean. */
  readonly committed: CommittedEntries;
  readonly base: readonly VerificationRun[] | null;
  readonly inherits: boolean;
  readonly hasSetup: boolean;
  readonly outlivesRed: boolean;
  /** What the task asks for, as far as its words tell. */
  readonly asks: {
    /** Named tests, which only count as they are now. */
    readonly otherTests: boolean;
    /** Tests at all, in a person's sentence. */
    readonly changedTests: boolean;
    readonly fewerTests: boolean;
    readonly proof: boolean;
  };
}

export function planStages(asked: AskedStages): VerifyStages {
  const { checks, pinned, heldOut, base, inherits, committed, asks } = asked;
  const repeated = checks.filter(({ once }) => once !== true);
  const change = planChange(asked);
  const changed = pinned.oracle.map(({ path }) => path);
  const both = [...pinned.oracle, ...pinned.ignored];
  const stages: readonly (VerifyStage | false)[] = [
    change.isTrial && { ...TRIAL, name: "ignored", checks, holdsJudged: true, example: pinned.ignored[0]?.path ?? "" },
    changed.length > 0 && {
      ...TRIAL,
      name: "old_tests",
      checks: repeated,
      hidden: both,
      base,
      inherits,
      changed,
      isAsked: asks.changedTests,
    },
    changed.length > 0 && planNewTests(asked, repeated),
    heldOut.checks.length > 0 && { ...TRIAL, name: "held_out", ...heldOut },
    committed.size > 0 &&
      repeated.length > 0 && {
        ...TRIAL,
        name: "committed",
        checks: repeated,
        instead: committed,
        hidden: pinned.ignored,
        base,
        inherits,
      },
  ];
  return [change, ...stages.filter((stage) => stage !== false)];
}

function planChange({ evidence, checks, pinned, asks, ...asked }: AskedStages): ChangeStage {
  const { base, inherits, outlivesRed, hasSetup } = asked;
  const hidden = new Set(pinned.ignored.map(({ path }) => path));
  return {
    ...TRIAL,
    name: "change",
    checks,
    isTrial: hidden.size > 0 || hasSetup,
    holdsJudged: true,
    hidden: pinned.ignored,
    base,
    inherits,
    evidence: { ...evidence, changes: evidence.changes.filter(({ path }) => !hidden.has(path)) },
    outlivesRed,
    mayTestsGo: evidence.rules.weakening === undefined ? null : asks.otherTests && asks.fewerTests,
  };
}

/** False where no test is new beside code that is. */
function planNewTests({ evidence, pinned, asks }: AskedStages, checks: NewTestsStage["checks"]): NewTestsStage | false {
  const tests = new Set(pinned.oracle.map(({ path }) => path));
  const code = evidence.changes.filter(({ path, standing }) => standing !== "ignored" && !tests.has(path));
  const { weakening } = evidence.rules;
  const setting = weakening?.rules.passes_without_change ?? null;
  if (weakening === undefined || asks.otherTests || setting === "off" || code.length === 0) return false;
  const hidden = [...code, ...pinned.ignored];
  return { ...TRIAL, name: "new_tests", checks, hidden, setting, asksForProof: asks.proof, tests: [] };
}
