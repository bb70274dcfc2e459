import type { Environment } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { runNetworkGit } from "./git-network.ts";

interface RemoteQuestion {
  readonly url: string;
  /** A branch, a tag or a commit; null is the branch that its HEAD names. */
  readonly ref: string | null;
  readonly cwd: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

export type RemoteBase =
  | { readonly kind: "found"; readonly commit: string; readonly branch: string | null }
  | { readonly kind: "missing" }
  | { readonly kind: "unreachable"; readonly reason: string };

const ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const LIST_BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** The commit that a ref of another repository leads to. A commit id is believed: only a clone can tell. */
export async function findRemoteBase({ url, ref, ...access }: RemoteQuestion): Promise<RemoteBase> {
  const asked = ref === null ? ["HEAD"] : [`refs/heads/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`];
  const args = ["ls-remote", "--symref", "--", url, ...(ref !== null && ID.test(ref) ? ["HEAD"] : asked)];
  try {
    const { stdout } = await runNetworkGit({ ...access, args, outputBytesMax: LIST_BYTES_MAX, timeoutMs: TIMEOUT_MS });
    if (ref !== null && ID.test(ref)) return { kind: "found", commit: ref, branch: null };
    return parseRemoteRefs(stdout.toString("utf8"), asked);
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    return { kind: "unreachable", reason: error.message.replaceAll(/\s+/g, " ").slice(0, 300) };
  }
}

/** The first of the names that it lists. */
export function parseRemoteRefs(text: string, asked: readonly string[]): RemoteBase {
  const lines = text.split("\n").map((line) => line.split("\t"));
  const head = lines.find(([first, name]) => name === "HEAD" && first?.startsWith("ref: ") === true)?.[0];
  for (const name of asked) {
    const commit = lines.find(([first, ref]) => ref === name && ID.test(first ?? ""))?.[0];
    if (commit === undefined) continue;
    const branch = name === "HEAD" ? (head ?? "").replace(/^ref: /, "") : name;
    return { kind: "found", commit, branch: /^refs\/heads\/(?<name>.+)$/s.exec(branch)?.groups?.["name"] ?? null };
  }
  return { kind: "missing" };
}
