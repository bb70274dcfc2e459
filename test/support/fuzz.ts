/**
 * Fuzzing of everything that reads bytes which somebody else wrote.
 *
 * What once broke a parser is kept in `lab/fuzz/cases/<parser>.txt` and tried first, by the test file of the same name.
 */
import fc from "fast-check";
import { readKept, tellHowToKeep } from "../../lab/fuzz/kept-inputs.ts";
import { runs } from "./runs.ts";

interface Fuzzed {
  /** The name of the test file and of the document with its cases. */
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
  const examples = readKept("cases", parser).map((data): [Buffer] => [data]);
  const details = await fc.check(property, { numRuns: runs(count).numRuns + examples.length, examples });
  if (!details.failed) return null;
  const input = details.counterexample?.[0] ?? Buffer.alloc(0);
  const where = `seed ${details.seed}, path ${details.counterexamplePath}`;
  return `${String(details.errorInstance)}\n${where}, input ${JSON.stringify(input.toString("latin1", 0, 500))}\n${tellHowToKeep(parser, input)}`;
}
