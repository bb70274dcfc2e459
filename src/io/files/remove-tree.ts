import { runOnPaths } from "./run-on-paths.ts";

/** Opens every folder below one and takes the flags away that not even root may overrule. */
const UNLOCK = 'chmod -R u+rwX -- "$1"; find "$1" -execdir chattr -f -i -a -- {} + || true';

/**
 * Removes a folder with its content, however deep, closed or locked, and throws if something stays. `rm` does it, which
 * walks step by step, because a path may be longer than the kernel takes in one call.
 */
export function removeTree(absolute: Buffer): void {
  if (runOnPaths(["rm", "-rf", "--"], [absolute]) === null) return;
  runOnPaths(["sh", "-c", UNLOCK, "sh"], [absolute]);
  const refusal = runOnPaths(["rm", "-rf", "--"], [absolute]);
  if (refusal !== null) throw new Error(refusal);
}
