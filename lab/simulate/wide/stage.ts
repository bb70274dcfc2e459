/** The world that the doors open to: one at a time in a process. */
import type { World } from "./world.ts";

let present: World | null = null;

export function getWorld(): World {
  if (present === null) throw new Error("no world");
  return present;
}

export function setWorld(world: World | null): void {
  present = world;
}
