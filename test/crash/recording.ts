/** A recorded program whose states are tried piece by piece: what was tried is kept beside them, so a later process goes on. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DiskState, recordStates } from "./recorder.ts";
import type { Scenario } from "./scenario.ts";
import { type RunRelais, siteIn, type Site, type SiteParts } from "./site.ts";
import { digestExactly } from "./world-digest.ts";

export interface Recording {
  /** The place of the states, with the executable. */
  readonly site: Site;
  /** The same with a relais that is no process, where there is one. */
  readonly quickSite: Site | null;
  /** How many calls changed something. */
  readonly calls: number;
  /** How many of their writes were also cut in half. */
  readonly torn: number;
  /** Those that differ from all before. */
  readonly states: readonly DiskState[];
  /** What was found at the states that were tried already. */
  readonly tried: readonly TriedState[];
  readonly add: (tried: TriedState) => void;
}

export interface TriedState {
  readonly name: string;
  readonly call: string;
  readonly outcome: string;
  /** What is not as it should be, in words; empty is good. */
  readonly failures: readonly string[];
  /** Names the state that the recovery led to, but for what no two runs have in common. */
  readonly end: string;
  /** Whether the executable recovered it as well as a relais that is no process. */
  readonly isCompared?: boolean;
}

interface Saved extends Omit<SiteParts, "executable"> {
  readonly box: string;
  readonly calls: number;
  readonly torn: number;
  readonly states: readonly DiskState[];
}

interface RecordingRequest {
  readonly scenario: Scenario;
  readonly executable: string;
  readonly recorder: string;
  /** Keeps everything; may have it already. */
  readonly folder: string;
  readonly every?: number | undefined;
  readonly quickRelais?: RunRelais | undefined;
}

export async function openRecording(request: RecordingRequest): Promise<Recording> {
  const { executable, folder, quickRelais } = request;
  const path = join(folder, "recording.json");
  if (!existsSync(path)) await record(request, path);
  const { box, kind, isolation, calls, torn, states }: Saved = JSON.parse(readFileSync(path, "utf8"));
  const results = join(folder, "tried.jsonl");
  const lines = existsSync(results) ? readFileSync(results, "utf8").split("\n").slice(0, -1) : [];
  const parts = { executable, kind, isolation };
  return {
    site: siteIn(box, parts),
    quickSite: quickRelais === undefined ? null : siteIn(box, parts, quickRelais),
    calls,
    torn,
    states,
    tried: lines.map((line): TriedState => JSON.parse(line)),
    add: (tried) => appendFileSync(results, `${JSON.stringify(tried)}\n`),
  };
}

async function record(
  { scenario, executable, recorder, folder, every }: RecordingRequest,
  path: string,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const site = await scenario.open(executable);
  const all = await recordStates({ recorder, site, argv: scenario.argv(site), folder, every }, scenario.isGood);
  const last = all.at(-1);
  if (every === undefined && (last === undefined || digestAlone(last.folder) !== digestAlone(site.box)))
    throw new Error("the last copy is not what the program has left");
  const states = keepDistinct(all);
  const torn = all.filter(({ isTorn }) => isTorn).length;
  const { box, kind, isolation } = site;
  const saved: Saved = { box, kind, isolation, calls: all.length - torn, torn, states };
  writeFileSync(path, JSON.stringify(saved));
}

const digestAlone = (folder: string): string => digestExactly(folder, new Map());

/** Removes the copies of states that were there before. */
function keepDistinct(states: readonly DiskState[]): readonly DiskState[] {
  const seen = new Set<string>();
  const known = new Map<number, string>();
  return states.filter(({ folder }) => {
    const digest = digestExactly(folder, known);
    if (seen.has(digest)) rmSync(folder, { recursive: true });
    else return seen.add(digest);
    return false;
  });
}
