/** Signs what a tick came to, if the configuration names a key. */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { type ProofStatement, writeProofTrailer, writeStatement } from "../records/proof.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { signText } from "../store/ssh-signature.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { HookRefusal } from "./commit-hooks.ts";

interface Signing {
  readonly config: Pick<Config, "journal">;
  readonly repository: Repository;
  /** Where the statement and its signature are kept; null keeps neither. */
  readonly folder: string | null;
}

/** Signs the tree of a commit before it is made: the trailer for its message, or why it must not be made. */
export type SignTree = (tree: string) => Promise<string | HookRefusal>;

/** Null where nothing is signed. */
export function makeTreeSigner(signing: Signing, facts: Omit<ProofStatement, "tree">): SignTree | null {
  if (signing.config.journal.sign === null) return null;
  return async (tree) => {
    const signed = await signSettlement(signing, { ...facts, tree });
    if (signed?.kind === "signed") return signed.trailer;
    const message = `The proof could not be signed: ${signed?.reason ?? "no key is configured"}.`;
    return { cause: "signing_failed", message };
  };
}

type SignedSettlement =
  { readonly kind: "signed"; readonly trailer: string } | { readonly kind: "unsigned"; readonly reason: string };

/** Null where nothing is signed. */
export async function signSettlement(
  { config, repository, folder }: Signing,
  statement: ProofStatement,
): Promise<SignedSettlement | null> {
  const { sign: key } = config.journal;
  if (key === null) return null;
  const text = writeStatement(statement);
  const signed = await signText(text, key, repository);
  if (signed.kind === "unsigned") return signed;
  if (folder !== null) {
    await writeAtomic(join(folder, "proof.txt"), text, { mode: 0o600 });
    await writeAtomic(join(folder, "proof.txt.sig"), signed.signature, { mode: 0o600 });
  }
  return { kind: "signed", trailer: writeProofTrailer(statement, signed.signature) };
}

/** Why the configured key cannot sign; null where it can, or where none is configured. */
export async function findSigningProblem({ config, repository }: Omit<Signing, "folder">): Promise<string | null> {
  const { sign: key } = config.journal;
  if (key === null) return null;
  const signed = await signText("relais-proof test\n", key, repository);
  return signed.kind === "signed" ? null : `The key ${key} of journal.sign cannot sign: ${signed.reason}.`;
}
