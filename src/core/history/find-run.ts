/** Which tick a person means. */
export type RunFound =
  | { readonly kind: "run"; readonly runId: string }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly runIds: readonly string[] };

/**
 * Finds a tick by its name or by the beginning or the end of it, since a whole name is long to type. Without a name it
 * is the first of those that are known, which are given newest first.
 */
export function findRun(asked: string | null, known: readonly string[]): RunFound {
  if (asked !== null && known.includes(asked)) return { kind: "run", runId: asked };
  const meant =
    asked === null
      ? known.slice(0, 1)
      : known.filter((runId) => asked !== "" && (runId.startsWith(asked) || runId.endsWith(asked)));
  const [runId, ...others] = meant;
  if (runId === undefined) return { kind: "none" };
  return others.length === 0 ? { kind: "run", runId } : { kind: "several", runIds: meant };
}
