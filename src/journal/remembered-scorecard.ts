/** The scorecard of the last drill, in the state directory of its repository. */
import { join } from "node:path";
import { Scorecard } from "../records/scorecard.ts";
import { parseWith } from "../base/schema-error.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { parseJson } from "../system/parse-json.ts";
import { readNow } from "../system/read-files.ts";

const NAME = "drill.json";
const BYTES_MAX = 4 * 1024 * 1024;

/** Where it cannot be written, nothing is lost but a memory. */
export async function rememberScorecard(stateDirectory: string, scorecard: Scorecard): Promise<void> {
  await writeAtomic(join(stateDirectory, NAME), `${JSON.stringify(scorecard)}\n`, { mode: 0o600 }).catch(() => {});
}

/** Null where there is none that this relais can read. */
export function recallScorecard(stateDirectory: string): Scorecard | null {
  try {
    const text = readNow(join(stateDirectory, NAME), { bytesMax: BYTES_MAX })?.toString("utf8") ?? "";
    const parsed = parseWith(Scorecard, parseJson(text));
    return parsed.kind === "valid" ? parsed.value : null;
  } catch {
    return null;
  }
}
