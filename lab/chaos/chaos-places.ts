import { join } from "node:path";

/** The files of one chaos run. */
export function chaosPlaces(folder: string) {
  return {
    folder,
    /** A small disk of its own, where that is possible. */
    disk: join(folder, "disk"),
    queue: join(folder, "disk", "queue"),
    /** Names the queue on a server, where the run has one. */
    server: join(folder, "server"),
    /** Milliseconds that the wall clock is ahead. */
    clock: join(folder, "clock"),
    locks: join(folder, "locks"),
    overlaps: join(folder, "overlaps"),
    /** One line for each branch that was made. */
    made: join(folder, "made"),
    repository: join(folder, "repository.git"),
    session: join(folder, "session.sh"),
    worker: join(folder, "worker.mjs"),
  };
}

export type ChaosPlaces = ReturnType<typeof chaosPlaces>;
