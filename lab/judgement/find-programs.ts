/** Which programs of the corpus this machine has; a base that needs another one is skipped, by name. */
import { tmpdir } from "node:os";
import { runBounded } from "./bounded-program.ts";
import type { Base, Corpus } from "./labelled-case.ts";

type Program = Base["needs"][number];

const PROBES: Readonly<Record<Program, readonly string[]>> = {
  npm: ["npm", "--version"],
  python3: ["python3", "--version"],
  pytest: ["python3", "-m", "pytest", "--version"],
  go: ["go", "version"],
  java: ["java", "-version"],
  sh: ["sh", "-c", "true"],
};
const SECONDS = 30;

export async function findMissingPrograms({ bases }: Corpus): Promise<readonly Program[]> {
  const needed = [...new Set([...bases.values()].flatMap(({ needs }) => needs))];
  const probes = needed.map(async (program) => {
    const { status } = await runBounded({ argv: PROBES[program], cwd: tmpdir(), env: process.env, seconds: SECONDS });
    return status === 0 ? [] : [program];
  });
  return (await Promise.all(probes)).flat();
}
