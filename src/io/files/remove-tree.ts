import { runOnPaths } from "./run-on-paths.ts";

/**
 * Opens every folder below and takes the flags away that not even root may overrule. By `find`, because `chmod -R`
 * follows a link that is its argument.
 */
const UNLOCK = `find "$@" -type d ! -perm -700 -execdir chmod u+rwx -- {} \\; || true
find "$@" ! -type l -execdir chattr -f -i -a -- {} + || true`;

export function removeTree(absolute: Buffer): void {
  removeTrees([absolute]);
}

/**
 * Removes folders with their content, however deep, closed or locked, and files; throws if something stays. `rm` does
 * it, which walks step by step, because a path may be longer than the kernel takes in one call.
 */
export function removeTrees(paths: readonly Buffer[]): void {
  if (runOnPaths(["rm", "-rf", "--"], paths) === null) return;
  runOnPaths(["sh", "-c", UNLOCK, "sh"], paths);
  const refusal = runOnPaths(["rm", "-rf", "--"], paths);
  if (refusal !== null) throw new Error(refusal);
}
