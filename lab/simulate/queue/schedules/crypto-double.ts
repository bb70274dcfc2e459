/** The names that a process draws are the same in every schedule, so that equal schedules have equal records. */
import { createRequire } from "node:module";

const real: typeof import("node:crypto") = createRequire(import.meta.url)("crypto");
export const { createHash, randomInt } = real;

let drawn = 0;

export function randomBytes(size: number): Buffer {
  drawn += 1;
  return Buffer.alloc(size, drawn.toString(16).padStart(8, "0"));
}

export function beginAgain(): void {
  drawn = 0;
}
