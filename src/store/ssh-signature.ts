/**
 * Signatures by `ssh-keygen -Y`, without a shell. A key with a passphrase works through an agent of the person; nobody
 * is asked for one, because a tick may run at night.
 */
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { PROOF_NAMESPACE } from "../records/proof.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { withPrivateFolder } from "../system/private-folder.ts";
import { locateTemporaryRoot } from "../system/temporary-folder.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { findOwnProgram } from "../system/find-program.ts";
import { withHome } from "../system/with-home.ts";
import { type SessionEnd, supervise } from "../process/supervise.ts";

interface Surroundings {
  /** A program inside the repository around this folder is never started. */
  readonly root: string;
  readonly environment: Environment;
}

export type Signed =
  { readonly kind: "signed"; readonly signature: string } | { readonly kind: "unsigned"; readonly reason: string };

const DEADLINE_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

/** Where the key of the configuration lies. */
export function locateSigningKey(key: string, { environment }: Pick<Surroundings, "environment">): string {
  return key.startsWith("~/") ? join(withHome(environment)["HOME"] ?? "/", key.slice(2)) : key;
}

/** Signs a text with the key at this path. */
export async function signText(text: string, key: string, around: Surroundings): Promise<Signed> {
  const args = ["-Y", "sign", "-q", "-f", locateSigningKey(key, around), "-n", PROOF_NAMESPACE];
  const end = await runKeygen(args, text, around);
  if (end === null) return { kind: "unsigned", reason: "ssh-keygen is not on the PATH" };
  const signature = end.stdout.toString("utf8");
  if (end.kind === "exited" && end.status === 0 && signature.startsWith("-----BEGIN SSH SIGNATURE-----"))
    return { kind: "signed", signature };
  const said = end.stderr.toString("utf8").trim().split("\n").at(-1) ?? "";
  return { kind: "unsigned", reason: said === "" ? `ssh-keygen ended as ${end.kind}` : `ssh-keygen says: ${said}` };
}

export interface AllowedSigners {
  /** The signer whose key made this signature of this text; null where there is none. */
  readonly findSigner: (text: string, signature: string) => Promise<string | null>;
}

/** Lends a reader of signatures, by the text of an `allowed_signers` file. Null without ssh-keygen. */
export async function withAllowedSigners<T>(
  allowed: string,
  around: Surroundings,
  use: (signers: AllowedSigners) => Promise<T>,
): Promise<T | null> {
  const { environment, root: cwd } = around;
  if ((await findOwnProgram("ssh-keygen", { path: environment["PATH"] ?? "", cwd })) === null) return null;
  return withPrivateFolder(locateTemporaryRoot(environment), async (folder) => {
    const [file, signed] = [join(folder, "allowed_signers"), join(folder, "signature")];
    await writeAtomic(file, allowed, { mode: 0o600 });
    const keygen = async (action: string, args: readonly string[], text: string) => {
      const end = await runKeygen(["-Y", action, "-f", file, "-s", signed, ...args], text, around);
      return end?.kind === "exited" && end.status === 0 ? end.stdout.toString("utf8") : null;
    };
    return use({
      findSigner: async (text, signature) => {
        await writeAtomic(signed, signature, { mode: 0o600 });
        const principals = await keygen("find-principals", [], "");
        const [principal] = principals?.split("\n").filter((line) => line !== "") ?? [];
        if (principal === undefined) return null;
        const verified = await keygen("verify", ["-n", PROOF_NAMESPACE, "-I", principal], text);
        return verified === null ? null : principal;
      },
    });
  });
}

async function runKeygen(
  args: readonly string[],
  input: string,
  { root, environment }: Surroundings,
): Promise<SessionEnd | null> {
  const program = await findOwnProgram("ssh-keygen", { path: environment["PATH"] ?? "", cwd: root });
  if (program === null) return null;
  return supervise({
    program,
    args,
    cwd: "/",
    env: makeChildEnvironment(environment, ["SSH_AUTH_SOCK"], { SSH_ASKPASS_REQUIRE: "never", LC_ALL: "C" }),
    input,
    deadlineMs: DEADLINE_MS,
    log: null,
    stdoutBytesMax: OUTPUT_BYTES_MAX,
    stderrBytesMax: OUTPUT_BYTES_MAX,
  });
}
