import { existsSync, readFileSync } from "node:fs";
import type { Engine } from "../../src/queue/pure/engine.ts";
import { openFilesEngine } from "../../src/queue/files-parts.ts";
import { ENGINES } from "../../test/queue/open-engine.ts";
import type { ChaosPlaces } from "./chaos-places.ts";

interface ChaosQueue {
  /** The folder, where the run has no server. */
  readonly folder: string;
  readonly readClockMs?: () => number;
}

/** The engine of a run: on its server, or in its folder. */
export function openChaosEngine({ server }: ChaosPlaces, queue: ChaosQueue): Promise<Engine> {
  const { folder: _folder, ...doubles } = queue;
  if (existsSync(server)) return ENGINES.nats(readFileSync(server, "utf8"), { ...doubles, recordsMax: 200 });
  return openFilesEngine({ ...queue, logBytesMax: 100_000 });
}
