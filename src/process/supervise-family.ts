/**
 * The watch over everything that a supervised program starts.
 *
 * A program that has ended may leave others behind: in the background, in sessions of their own, with a parent that is
 * gone. They would go on writing while the change is judged. Four signs identify them: the marker in their
 * environment, their session, the tag among their limits, and their descent, which is noted regularly while they run.
 * Where no tag can be set, a process that cleared its environment and lost its parent can only be known from before:
 * one that did both between two looks and began its own session is not found.
 */
import { setTimeout as delay } from "node:timers/promises";
import { readSteadyMs } from "../system/clock.ts";
import { readErrorCode } from "../system/read-files.ts";
import { type ProcessEntry, findProcessStart, isDescendant, listLivingProcesses, startOrder } from "./process-table.ts";

const FIRST_LOOK_MS = 20;
const LOOK_INTERVAL_MS_MAX = process.platform === "linux" ? 250 : 1000;
/** A look that took one millisecond is not repeated before fifty have passed. */
const LOOK_REST_FACTOR = 50;

const REAP_ROUNDS_MAX = 60;
const REAP_PAUSE_MS_MAX = 50;
/**
 * Processes may fork while they are counted, and a program that is just starting shows no environment. So one empty
 * count proves little, unless it was whole and would have seen a tag that nobody can take off.
 */
const EMPTY_ROUNDS = 2;

/** Longer than a program of another session needs to start. */
const HIDDEN_MS = 250;
/** More hidden processes than other sessions start at a time. */
const HIDDEN_CROWD = 20;

/** A process that outlived its session. */
interface Stray {
  readonly pid: number;
  readonly command: string;
}

export interface Reaped {
  /** Found after the end, and killed. */
  readonly survivors: readonly Stray[];
  /** Found after the end, and still there in spite of it. */
  readonly undead: readonly Stray[];
}

export interface Family {
  /** Notes the present members of the family. */
  readonly look: () => Promise<void>;
  /** Whether the program has left a process behind. None is touched. */
  readonly isLeft: () => Promise<boolean>;
  /** Kills the processes that are left, again and again until none is. */
  readonly reap: () => Promise<Reaped>;
  readonly end: () => void;
}

interface WatchedProgram {
  readonly pid: number;
  readonly marker: string;
  /** Null where it has none. */
  readonly tag: number | null;
}

/** Watches the family of a process that was just started, in a session of its own, with `marker` in its environment. */
export async function watchFamily({ pid, marker, tag }: WatchedProgram): Promise<Family> {
  const start = await findProcessStart(pid);
  const members = new Map(start === null ? [] : [[pid, start]]);
  let known: KnownFamily = { members, sessions: new Set([pid]) };
  let timer: NodeJS.Timeout | null = null;
  let intervalMs = FIRST_LOOK_MS;
  let isOver = false;
  const signs = { marker, hasTag: tag !== null, since: start === null ? 0 : startOrder(start), ...makeTagTest(tag) };

  const look = async (): Promise<void> => {
    known = closeFamily({ entries: [...(await listLivingProcesses(null))], foreignSessions: new Set() }, known);
  };
  const lookAndGoOn = async (): Promise<void> => {
    const began = readSteadyMs();
    try {
      await look();
    } catch {
      // The next look may succeed, and the count at the end does not depend on this one.
    }
    intervalMs = Math.max(Math.min(intervalMs * 2, LOOK_INTERVAL_MS_MAX), (readSteadyMs() - began) * LOOK_REST_FACTOR);
    schedule();
  };
  const schedule = (): void => {
    if (!isOver) timer = setTimeout(() => void lookAndGoOn(), intervalMs);
  };
  schedule();

  return {
    look,
    isLeft: () => isAnybodyLeft(known, signs),
    reap: () => reapFamily(known, signs),
    end: () => {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/**
 * A limit below the tag is that of a process which lowered it, or of a session of another relais. The latter has nothing
 * to hide, except for a moment while it starts; so only a process that stays hidden, or one of a crowd, is ours.
 */
function makeTagTest(tag: number | null): Pick<Signs, "isTagged" | "isUnclear"> {
  const hiddenSince = new Map<string, number>();
  const isLower = (entry: ProcessEntry): boolean => tag !== null && (entry.tag() ?? tag) < tag;
  return {
    isTagged: (entry) => {
      if (tag === null || !isLower(entry)) return tag !== null && entry.tag() === tag;
      if (!entry.isHidden() || isDescendant(entry.pid)) return false;
      const now = readSteadyMs();
      const since = hiddenSince.get(nameProcess(entry)) ?? now;
      hiddenSince.set(nameProcess(entry), since);
      return now - since >= HIDDEN_MS || hiddenSince.size > HIDDEN_CROWD;
    },
    isUnclear: (entry) => hiddenSince.has(nameProcess(entry)) && entry.isHidden(),
  };
}

type Relation = Pick<ProcessEntry, "pid" | "parent" | "session" | "start">;

/** The processes of one supervised program: by pid with its start, and by session. */
export interface KnownFamily {
  readonly members: ReadonlyMap<number, string>;
  readonly sessions: ReadonlySet<number>;
}

/**
 * The members of the family among `entries`: known ones that are still there, and processes with a parent or a session
 * in common with them. A supervised program begins its own session and nobody can join a session from outside, so a
 * session with one member has only members. A foreign session is the exception that should not exist: a stranger with
 * our environment is a member, but the others in its session are not.
 */
export function closeFamily(
  {
    entries,
    foreignSessions,
  }: { readonly entries: readonly Relation[]; readonly foreignSessions: ReadonlySet<number> },
  known: KnownFamily,
): KnownFamily {
  const members = new Map<number, string>();
  const sessions = new Set(known.sessions);
  let outside = entries;
  for (let grew = true; grew;) {
    const before = outside.length;
    outside = outside.filter(({ pid, parent, session, start }) => {
      if (known.members.get(pid) !== start && !members.has(parent) && !sessions.has(session)) return true;
      members.set(pid, start);
      if (!foreignSessions.has(session)) sessions.add(session);
      return false;
    });
    grew = outside.length < before;
  }
  const living = new Set(entries.filter(({ pid }) => members.has(pid)).map(({ session }) => session));
  return { members, sessions: new Set([...living].filter((session) => sessions.has(session))) };
}

interface Signs {
  readonly marker: string;
  /** Whether every process of it carries a tag, or hides that it lowered it. */
  readonly hasTag: boolean;
  /** The start of the supervised program, or of its oldest process left. Older processes do not belong to it. */
  readonly since: number;
  /** Whether its limits show that it belongs to it. */
  readonly isTagged: (entry: ProcessEntry) => boolean;
  /** Whether a later look must decide it. */
  readonly isUnclear: (entry: ProcessEntry) => boolean;
}

/** Kills every process that carries the marker or belongs to the known family. */
export async function reapFamily(first: KnownFamily, signs: Signs): Promise<Reaped> {
  const found = new Map<string, Stray>();
  let known = first;
  let left: readonly ProcessEntry[] = [];
  let emptyRounds = 0;
  let isProven = false;
  for (let round = 0; round < REAP_ROUNDS_MAX && !isProven; round += 1) {
    // Killed processes need a moment to go. After an empty count nobody is waited for, and the next one follows at once.
    if (round > 0 && emptyRounds === 0) await delay(Math.min(round * 5, REAP_PAUSE_MS_MAX));
    const killed = await killRound(known, { signs, found });
    ({ known, left } = killed);
    emptyRounds = left.length === 0 && !killed.isUnclear ? emptyRounds + 1 : 0;
    // After a kill, a child of the killed one may show only now.
    isProven = emptyRounds >= (signs.hasTag && killed.isWhole && found.size === 0 ? 1 : EMPTY_ROUNDS);
  }
  const undead = new Set(left.map(nameProcess));
  return {
    survivors: [...found].filter(([name]) => !undead.has(name)).map(([, stray]) => stray),
    undead: [...found].filter(([name]) => undead.has(name)).map(([, stray]) => stray),
  };
}

interface KillRound {
  readonly known: KnownFamily;
  readonly left: readonly ProcessEntry[];
  readonly isUnclear: boolean;
  /** Whether nobody can have been missed because of a new pid. */
  readonly isWhole: boolean;
}

async function killRound(
  known: KnownFamily,
  { signs, found }: { readonly signs: Signs; readonly found: Map<string, Stray> },
): Promise<KillRound> {
  const entries: ProcessEntry[] = [];
  const foreignSessions = new Set<number>();
  const members = new Map(known.members);
  const strike = (entry: ProcessEntry): void => {
    if (!found.has(nameProcess(entry))) found.set(nameProcess(entry), { pid: entry.pid, command: entry.command() });
    members.set(entry.pid, entry.start);
    sendSignal(entry.pid, "SIGKILL");
  };
  const living = await listLivingProcesses(signs.marker);
  for (const entry of living) {
    if (entry.startOrder < signs.since) foreignSessions.add(entry.session);
    if (entry.startOrder < signs.since || entry.pid <= 1 || entry.pid === process.pid) continue;
    entries.push(entry);
    // At once, and not after the whole table: a process that keeps moving to a new pid would be gone by then.
    if (isMember(entry, known, signs)) strike(entry);
  }
  const family = closeFamily({ entries, foreignSessions }, { members, sessions: known.sessions });
  const left = entries.filter(({ pid, start }) => family.members.get(pid) === start);
  for (const entry of left) if (!members.has(entry.pid)) strike(entry);
  const isUnclear = entries.some((entry) => signs.isUnclear(entry));
  return { known: family, left, isUnclear, isWhole: living.isWhole() };
}

async function isAnybodyLeft(known: KnownFamily, signs: Signs): Promise<boolean> {
  for (const entry of await listLivingProcesses(signs.marker)) {
    if (entry.startOrder < signs.since || entry.pid <= 1 || entry.pid === process.pid) continue;
    if (isMember(entry, known, signs)) return true;
  }
  return false;
}

function isMember(entry: ProcessEntry, known: KnownFamily, { isTagged }: Signs): boolean {
  const { pid, start, session } = entry;
  const isKnown = known.members.get(pid) === start || known.sessions.has(session);
  return isKnown || entry.isMarked() || isTagged(entry);
}

/** Signals a process, or a group by its negative number; one that is gone or somebody else's is passed over. */
export function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    if (!["ESRCH", "EPERM"].includes(readErrorCode(error) ?? "")) throw error;
  }
}

function nameProcess({ pid, start }: ProcessEntry): string {
  return `${pid} ${start}`;
}
