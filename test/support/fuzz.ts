/**
 * Fuzzing of everything that reads bytes which somebody else wrote.
 *
 * What once broke a parser is kept as a file in `lab/fuzz/cases/<parser>/` and tried first, by the test file of the
 * same name.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { runs } from "./runs.ts";

const CASES = join(import.meta.dirname, "../../lab/fuzz/cases");
interface Fuzzed {
  /** The name of the test file and of the folder with its cases. */
  readonly parser: string;
  readonly bytes: fc.Arbitrary<Buffer>;
  readonly runs: number;
  /** Throws when a property does not hold for these bytes. */
  readonly check: (data: Buffer) => unknown;
}

/**
 * Tries the kept cases and then as many arbitrary inputs. Null when every property held; otherwise what did not, with
 * the command that keeps the input.
 */
export async function fuzz({ parser, bytes, runs: count, check }: Fuzzed): Promise<string | null> {
  const property = fc.asyncProperty(bytes, async (data) => {
    await check(data);
  });
  const examples = casesOf(parser).map((data): [Buffer] => [data]);
  const details = await fc.check(property, { numRuns: runs(count).numRuns + examples.length, examples });
  if (!details.failed) return null;
  const input = details.counterexample?.[0] ?? Buffer.alloc(0);
  const keep = `echo ${input.toString("base64")} | base64 -d > lab/fuzz/cases/${parser}/NAME`;
  const where = `seed ${details.seed}, path ${details.counterexamplePath}`;
  return `${String(details.errorInstance)}\n${where}, input ${JSON.stringify(input.toString("latin1", 0, 500))}\nTo keep it: ${keep}`;
}

function casesOf(parser: string): readonly Buffer[] {
  const folder = join(CASES, parser);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => readFileSync(join(folder, name)));
}
