/**
 * A proof: what the runner signs when a tick is settled. The statement is a text that `ssh-keygen -Y verify` can read.
 * In a commit, one trailer has all of it that the commit itself does not say; tree and parent are the commit's own, so
 * a proof says nothing about any other commit.
 */
export interface ProofStatement {
  readonly runId: string;
  /** Of the tick, or `NOTES` where only the runner's own files are committed. */
  readonly code: string;
  readonly base: string;
  /** Null where nothing is committed. */
  readonly tree: string | null;
  /** The hash of the judged evidence, from which the judgement follows; null where nothing was judged. */
  readonly evidence: string | null;
  /** The hash of the last line of the journal, which stands for all lines before. */
  readonly journal: string;
}

/** What `ssh-keygen` binds a signature to, so that one made for something else is no proof. */
export const PROOF_NAMESPACE = "relais";
/** The code of a commit that holds nothing but the runner's own files. */
export const NOTES_ONLY = "NOTES";

const NONE = "none";
const TRAILER =
  /^Relais-Proof: 1 (?<run>[0-9TZ]+-[0-9a-f]+) (?<code>[A-Z_]+) (?<evidence>[0-9a-f]{64}|none) (?<journal>[0-9a-f]{64}) (?<signature>[A-Za-z0-9+/]+=*)$/gm;

export function writeStatement({ runId, code, base, tree, evidence, journal }: ProofStatement): string {
  const fields = { run: runId, code, base, tree: tree ?? NONE, evidence: evidence ?? NONE, journal };
  return ["relais-proof 1", ...Object.entries(fields).map(([name, value]) => `${name} ${value}`), ""].join("\n");
}

export function writeProofTrailer({ runId, code, evidence, journal }: ProofStatement, signature: string): string {
  return `Relais-Proof: 1 ${runId} ${code} ${evidence ?? NONE} ${journal} ${readArmour(signature)}`;
}

export interface ProofTrailer extends Pick<ProofStatement, "runId" | "code" | "evidence" | "journal"> {
  /** As `ssh-keygen` writes it. */
  readonly signature: string;
}

/** The last one of a message; null where there is none. */
export function findProofTrailer(message: string): ProofTrailer | null {
  const groups = [...message.matchAll(TRAILER)].at(-1)?.groups;
  if (groups === undefined) return null;
  const { run = "", code = "", evidence = "", journal = "", signature = "" } = groups;
  return {
    runId: run,
    code,
    evidence: evidence === NONE ? null : evidence,
    journal,
    signature: writeArmour(signature),
  };
}

const BEGIN = "-----BEGIN SSH SIGNATURE-----";
const END = "-----END SSH SIGNATURE-----";

function readArmour(signature: string): string {
  return signature.replace(BEGIN, "").replace(END, "").replaceAll(/\s/g, "");
}

function writeArmour(base64: string): string {
  return [BEGIN, ...(base64.match(/.{1,70}/g) ?? []), END, ""].join("\n");
}
