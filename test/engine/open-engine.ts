/** The engines that the suite knows, by their names: a process that a test starts opens its own. */
import type { Engine } from "../../src/contract/queue/engine.ts";
import { openFilesEngine } from "../../src/run/engine/files-engine.ts";

interface EngineDoubles {
  /** The wall clock. */
  readonly readClockMs?: () => number;
}

export type OpenEngine = (place: string, doubles?: EngineDoubles) => Promise<Engine>;

export const ENGINES: { readonly files: OpenEngine } = {
  files: (folder, doubles) => openFilesEngine({ folder, ...doubles }),
};

export type EngineName = keyof typeof ENGINES;
