/**
 * What the program of an agent noted of a builder's session, for the repair that goes on with it.
 *
 * It is moved from the agent's folder to that of the tick, so that no other session is given it, and from there into
 * the folder of the repair's own session. It goes when the change is kept or rejected, and when other work begins.
 */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import * as v from "valibot";
import type { RecordWish, SessionReply } from "../agents/driver.ts";
import { AGENT_LOGINS } from "../agents/logins.ts";
import type { TickEnclosure } from "../place/tick-sandbox.ts";
import { RepositoryPath } from "../base/repository-path.ts";
import { Usage } from "../records/agent.ts";
import { writeAtomic, writeNew } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { findFile } from "../system/find-file.ts";
import { makeFolders } from "../system/folders.ts";
import { readLeftFile } from "../system/left-file.ts";
import { parseJson } from "../system/parse-json.ts";
import { removeTree } from "../system/remove-files.ts";

const FOLDER = "session";
const NOTE = "session.json";
const RECORD = "record.jsonl";
const NOTE_BYTES_MAX = 64 * 1024;
/** A longer one is not kept. */
const RECORD_BYTES_MAX = 64 * 1024 * 1024;
/** `projects/FOLDER/ID.jsonl`, or `sessions/YEAR/MONTH/DAY/rollout-TIME-ID.jsonl`. */
const DEPTH_MAX = 3;

const Note = v.strictObject({
  driver: v.string(),
  sandbox: v.string(),
  id: v.pipe(v.string(), v.uuid()),
  /** Below the folder of the agent. */
  file: RepositoryPath,
  spent: v.nullable(Usage),
});

export interface SessionKeeping {
  /** The folder of this tick. */
  readonly runDirectory: string;
  /** The folder of the tick that it repairs; null begins anew. */
  readonly repaired: string | null;
  /** What keeps the session in bounds: it goes on in nothing else. */
  readonly sandbox: string;
}

export interface KeptRecord {
  readonly wish: RecordWish;
  /** Takes what the session noted out of the folder of the agent. */
  readonly take: (reply: SessionReply) => Promise<void>;
}

/** Null for an agent whose program keeps nothing that could be found again. */
export async function openRecord(
  driver: string,
  reach: TickEnclosure["reach"],
  { runDirectory, repaired, sandbox }: SessionKeeping,
): Promise<KeptRecord | null> {
  const place = AGENT_LOGINS.find((one) => one.driver === driver);
  if (place === undefined) return null;
  const take = async (reply: SessionReply): Promise<void> => {
    const folder = reply.record === undefined ? null : await reach(place);
    if (folder === null || reply.record === undefined) return;
    const { id, spent } = reply.record;
    const isWanted = (name: string): boolean => name.endsWith(`${id}.jsonl`);
    const file = findFile(folder, place.sessions, isWanted, DEPTH_MAX);
    if (file === null) return;
    const read = await readLeftFile({ root: folder, path: file }, RECORD_BYTES_MAX);
    // Long outputs of tools lie beside it, in a folder of its name.
    for (const path of [file, file.replace(/\.jsonl$/u, "")]) removeTree(Buffer.from(join(folder, path)));
    if (read.kind !== "read") return;
    const kept = join(runDirectory, FOLDER);
    makeFolders(kept, 0o700);
    await writeAtomic(join(kept, RECORD), read.data, { mode: 0o600 });
    await writeAtomic(join(kept, NOTE), JSON.stringify({ driver, sandbox, id, file, spent }), { mode: 0o600 });
  };
  const earlier = repaired === null ? null : await readKept(repaired);
  const folder = earlier?.note.driver === driver && earlier.note.sandbox === sandbox ? await reach(place) : null;
  if (earlier === null || folder === null) return { wish: { id: randomUUID(), earlier: null }, take };
  const { id, file, spent } = earlier.note;
  const path = join(folder, file);
  makeFolders(dirname(path), 0o700);
  await writeNew(path, earlier.record, 0o600);
  return { wish: { id, earlier: { spent } }, take };
}

/** It is read once, and only one session gets it. */
async function readKept(runDirectory: string) {
  const folder = join(runDirectory, FOLDER);
  const [note, record] = [
    await readBounded(join(folder, NOTE), NOTE_BYTES_MAX),
    await readBounded(join(folder, RECORD), RECORD_BYTES_MAX),
  ];
  dropRecord(runDirectory);
  if (note.kind !== "read" || record.kind !== "read") return null;
  const parsed = v.safeParse(Note, parseJson(note.data.toString("utf8")));
  return parsed.success ? { note: parsed.output, record: record.data } : null;
}

export function dropRecord(runDirectory: string): void {
  removeTree(Buffer.from(join(runDirectory, FOLDER)));
}
