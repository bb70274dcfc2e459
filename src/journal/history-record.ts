/**
 * What `relais judge --history` judged so far, in the state directory: one line for each commit, all by the same rules and
 * by the same relais. Where it cannot be kept, nothing is lost but the time.
 */
import { hash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { parseWith } from "../base/schema-error.ts";
import type { Repository } from "../git/repository-layout.ts";
import { JudgedCommit } from "../records/judgement.ts";
import { parseJson } from "../system/parse-json.ts";
import { readNow } from "../system/read-files.ts";
import { writeNow } from "../system/write-files.ts";
import { readFingerprint } from "./remembered-file.ts";
import { openStateDirectory } from "./state-directory.ts";

export interface HistoryRecord {
  readonly read: () => readonly JudgedCommit[];
  readonly append: (judged: JudgedCommit) => void;
}

interface RecordPlace {
  readonly repository: Repository;
  readonly environment: Environment;
  /** The program that judges: what another one found does not count. */
  readonly executable: string;
}

const NAME = "judged-history.jsonl";
const BYTES_MAX = 256 * 1024 * 1024;

export function openHistoryRecord({ repository, environment, executable }: RecordPlace, rules: object): HistoryRecord {
  const state = openStateDirectory(repository, environment);
  if (state.kind === "unusable") return { read: () => [], append: () => undefined };
  const path = join(state.path, NAME);
  const head = JSON.stringify({ by: hash("sha256", JSON.stringify([readFingerprint(executable), rules])) });
  return {
    read: () =>
      attempt(() => {
        const text = readNow(path, { bytesMax: BYTES_MAX })?.toString("utf8") ?? "";
        const [first, ...lines] = text.split("\n");
        const judged = first === head ? lines.flatMap(parseLine) : [];
        // Without what other rules found, and without the half of a line at its end.
        writeNow(path, [head, ...judged.map((one) => JSON.stringify(one)), ""].join("\n"), 0o600);
        return judged;
      }, []),
    append: (judged) => attempt(() => appendFileSync(path, `${JSON.stringify(judged)}\n`, { mode: 0o600 }), undefined),
  };
}

function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

function parseLine(line: string): readonly JudgedCommit[] {
  const parsed = parseWith(JudgedCommit, parseJson(line));
  return parsed.kind === "valid" ? [parsed.value] : [];
}
