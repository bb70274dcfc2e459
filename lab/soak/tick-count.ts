import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { SoakRepository } from "./soak-repository.ts";

const PIECE_BYTES = 1 << 20;
const ENDED = '"type":"tick_ended"';

/** Counts the ended ticks of a journal. Each call reads only what is new. */
export function openTickCount(repository: SoakRepository): () => number {
  const seen = { bytes: 0, ticks: 0, rest: "" };
  const piece = Buffer.alloc(PIECE_BYTES);
  return () => {
    if (!existsSync(join(repository.env["XDG_STATE_HOME"] ?? "", "relais"))) return 0;
    const path = join(repository.state(), "journal.jsonl");
    if (!existsSync(path)) return 0;
    const file = openSync(path, "r");
    try {
      for (;;) {
        const read = readSync(file, piece, 0, PIECE_BYTES, seen.bytes);
        if (read === 0) return seen.ticks;
        seen.bytes += read;
        const lines = (seen.rest + piece.toString("latin1", 0, read)).split("\n");
        seen.rest = lines.pop() ?? "";
        seen.ticks += lines.filter((line) => line.includes(ENDED)).length;
      }
    } finally {
      closeSync(file);
    }
  };
}
