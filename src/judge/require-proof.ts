/**
 * Whether each commit of a range carries a proof that relais judged it, signed by an allowed signer. The proof names tree
 * and base, so one that was copied from another commit, or whose commit was rebased, is none.
 */
import { resolve } from "node:path";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { Config } from "../config/config.ts";
import { findProofTrailer, NOTES_ONLY, type ProofTrailer, writeStatement } from "../records/proof.ts";
import type { Finding, Judgement } from "../records/judgement.ts";
import { HELD } from "../records/suspicions.ts";
import { MeasurementError } from "../base/errors.ts";
import { type AllowedSigners, withAllowedSigners } from "../store/ssh-signature.ts";
import { readBounded } from "../system/bounded-file.ts";
import { toBytePath } from "../system/byte-path.ts";
import { accessRepository, runGit } from "../git/git.ts";
import { withObjects } from "../git/git-objects.ts";
import { readCommit, readFileAt } from "../git/read-commit.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { JudgedSubject, JudgeRequest, ProofWish } from "./judge-rules.ts";

/** A range with more commits is not looked through. */
const COMMITS_MAX = 10_000;
const SIGNERS_BYTES_MAX = 1024 * 1024;

interface ProofQuestion {
  readonly request: JudgeRequest;
  readonly repository: Repository;
  readonly subject: JudgedSubject;
  readonly config: Config | null;
}

/** A broken rule names the code; commits without a proof come after it. */
export async function addProof(
  { request, repository, subject, config }: ProofQuestion,
  judgement: Judgement,
): Promise<Judgement | NotReady> {
  const { proof: wish, cwd } = request;
  const { head, base, otherBases, rules } = subject;
  if (wish === null || head === null) return judgement;
  const signers = await readSigners({ repository, wish, cwd, config, rulesCommit: rules.commit });
  if (signers.kind === "blocked") return signers;
  const sources = { repository, bases: [base, ...otherBases], head, allowed: signers.text };
  const commits = await listCommits(sources);
  const unproven = await listUnproven(sources, commits);
  if (unproven.length === 0) return { ...judgement, notes: [...judgement.notes, tellProven(commits.length)] };
  const findings = [...judgement.findings, ...unproven];
  return judgement.code === "SUCCESS" || judgement.code === HELD
    ? { ...judgement, verdict: "stop", code: "STOP_PROOF_MISSING", cause: null, findings }
    : { ...judgement, findings };
}

interface SignersPlaces {
  readonly repository: Repository;
  readonly wish: ProofWish;
  readonly cwd: string;
  /** The configuration of the commit with the rules, which a change cannot edit. */
  readonly config: Config | null;
  readonly rulesCommit: string;
}

type SignersRead = { readonly kind: "signers"; readonly text: string } | NotReady;

/** Who may sign: a file that the caller names, or the one of the commit with the rules. */
async function readSigners({ repository, wish, cwd, config, rulesCommit }: SignersPlaces): Promise<SignersRead> {
  const { signersFile } = wish;
  if (signersFile !== null) {
    const read = await readBounded(resolve(cwd, signersFile), SIGNERS_BYTES_MAX);
    if (read.kind === "read") return { kind: "signers", text: read.data.toString("utf8") };
    return refuseSigners(`The file ${signersFile} ${read.kind === "missing" ? "does not exist" : "cannot be read"}.`);
  }
  const path = config?.journal.allowed_signers ?? null;
  if (path === null) return refuseSigners("The rules of the base name no allowed signers.");
  const content = await withObjects(accessRepository(repository), (read) =>
    readFileAt(read, rulesCommit, toBytePath(path)),
  );
  if (content !== null && content.length <= SIGNERS_BYTES_MAX)
    return { kind: "signers", text: content.toString("utf8") };
  return refuseSigners(`The commit ${rulesCommit.slice(0, 12)} has no file ${path}.`);
}

function refuseSigners(message: string): NotReady {
  const remedy =
    "Set `journal.allowed_signers` in relais.config.json of the base, or name a file with --allowed-signers.";
  return refuseNotReady("signers_missing", message, remedy);
}

interface ProofSources {
  readonly repository: Repository;
  /** Where the sides parted, and the end. */
  readonly bases: readonly string[];
  readonly head: string;
  /** The text of the `allowed_signers` file. */
  readonly allowed: string;
}

function tellProven(commits: number): string {
  if (commits === 1) return "The commit carries a proof of an allowed signer.";
  return commits === 0
    ? "The range has no commit that needs a proof."
    : `All ${commits} commits carry a proof of an allowed signer.`;
}

/** One finding for each commit without a proof, oldest first. */
async function listUnproven(
  { repository, allowed }: ProofSources,
  commits: readonly string[],
): Promise<readonly Finding[]> {
  const findings = await withAllowedSigners(allowed, repository, async (signers) => {
    const found: Finding[] = [];
    for (const commit of commits) {
      const rule = await findMissing(repository, commit, signers);
      if (rule !== null) found.push({ gate: "proof", code: "STOP_PROOF_MISSING", subject: commit, rule, glob: null });
    }
    return found;
  });
  if (findings === null) throw new MeasurementError("the proofs", "ssh-keygen is not on the PATH");
  return findings;
}

async function listCommits({ repository, bases, head }: ProofSources): Promise<readonly string[]> {
  const { stdout } = await runGit({
    ...accessRepository(repository),
    args: ["rev-list", "--reverse", `--max-count=${COMMITS_MAX + 1}`, head, ...bases.map((base) => `^${base}`)],
    outputBytesMax: COMMITS_MAX * 70,
  });
  const commits = stdout.toString("latin1").split("\n").filter(Boolean);
  if (commits.length > COMMITS_MAX) throw new MeasurementError("the range", `has more than ${COMMITS_MAX} commits`);
  return commits;
}

/** Why a commit is not proven; null where it is. */
async function findMissing(repository: Repository, commit: string, signers: AllowedSigners): Promise<string | null> {
  const { tree, parents, message } = await readCommit(repository, commit);
  const [base, ...others] = parents;
  const proof = findProofTrailer(message);
  if (proof === null) return "It has no proof (no trailer `Relais-Proof`).";
  if (base === undefined || others.length > 0) return "A proof needs exactly one parent.";
  if (!isPassed(proof)) return `It was judged, and its tick ended with ${proof.code}.`;
  const signer = await signers.findSigner(writeStatement({ ...proof, base, tree }), proof.signature);
  if (signer !== null) return null;
  return "Its proof was not made for this commit by an allowed signer: another key, another tree or another parent.";
}

function isPassed({ code, evidence }: ProofTrailer): boolean {
  return code === NOTES_ONLY || (code === "SUCCESS" && evidence !== null);
}
