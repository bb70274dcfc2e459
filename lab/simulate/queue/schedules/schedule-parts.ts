/** What a schedule gives the engine besides its log: specifications in memory, and beats without time. */
import type { Beats, JobStore } from "../../../../src/queue/engine-ports.ts";
import { watchSilence } from "../../../../src/queue/open-engine.ts";

const unused = (): never => {
  throw new Error("not part of a schedule");
};
const doNothing = async (): Promise<void> => {};

export function openStore(specs: Map<string, string>): JobStore {
  return {
    writeSpec: async (store, text) => {
      specs.set(store, text);
      return "0".repeat(64);
    },
    readSpec: async (store) => specs.get(store) ?? "",
    remove: doNothing,
    sweep: doNothing,
    openLines: () => async () => "recorded",
    follow: unused,
    attach: unused,
    readAttachment: unused,
  };
}

export function openBeats(
  own: { beat: number },
  findBeat: (id: string) => number | null,
  readSteadyMs: () => number,
): Beats {
  const sightings = watchSilence(readSteadyMs);
  const beat = async (): Promise<void> => void (own.beat += 1);
  return {
    open: () => ({ beat, shortenLease: () => {}, leash: null, close: doNothing }),
    countSilence: ({ id }) => sightings.countSilence(id, findBeat(id)),
    confirmSilence: async () => true,
    readAge: () => null,
    forget: doNothing,
  };
}
