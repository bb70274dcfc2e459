import type { Caller } from "../base/environment.ts";
import { findOwnProgram } from "../system/find-program.ts";
import { runPager } from "../process/programs-of-the-person.ts";

interface PageRequest extends Caller {
  readonly text: string;
  readonly signal: AbortSignal;
}

const USUAL = "less -FRX";

/** Shows text in the person's pager; false where there is none. */
export async function pageText({ text, cwd, environment, signal }: PageRequest): Promise<boolean> {
  const command = environment["GIT_PAGER"] ?? environment["PAGER"] ?? USUAL;
  if (["", "cat"].includes(command.trim())) return false;
  if (command === USUAL && (await findOwnProgram("less", { path: environment["PATH"] ?? "", cwd })) === null)
    return false;
  // As git does: a pager without options of its own shows colours and ends by itself after a short text.
  const own = { LESS: "FRX", LESSCHARSET: "utf-8", LV: "-c", ...environment };
  return runPager({ command, text, cwd, environment: own, signal });
}
