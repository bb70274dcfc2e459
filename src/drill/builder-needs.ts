/** Which builders this machine can run. */
import type { Environment } from "../base/environment.ts";
import type { Untried } from "./pure/drill-result.ts";
import type { HostileBuilder } from "./pure/hostile-builder.ts";
import { findProgram } from "../system/find-program.ts";

/** Mounts and immutable files outlive a copy that is removed, so these run in the project's own tests only. */
const KEPT_OUT = "it changes mounts or flags that a removed copy would leave behind";

export async function splitByNeeds(builders: readonly HostileBuilder[], environment: Environment) {
  const reasons = await findReasons(environment);
  const leftOut = builders.flatMap(({ id, needs }): Untried[] => {
    const reason = reasons[needs];
    return reason === null ? [] : [{ name: id, reason }];
  });
  return { able: builders.filter(({ needs }) => reasons[needs] === null), leftOut };
}

async function findReasons({ PATH = "/usr/bin:/bin" }: Environment) {
  const isRoot = process.getuid?.() === 0;
  const missing = async (program: string): Promise<string | null> =>
    (await findProgram(program, { path: PATH, cwd: "/" })) === null ? `it needs ${program}` : null;
  return {
    nothing: null,
    sandbox: null,
    root: isRoot ? null : "it needs root",
    user: isRoot ? "it needs an ordinary user" : null,
    linux: process.platform === "linux" ? null : "it needs Linux",
    chattr: KEPT_OUT,
    mount: KEPT_OUT,
    python: await missing("python3"),
    make: await missing("make"),
  } as const satisfies Readonly<Record<HostileBuilder["needs"], string | null>>;
}
