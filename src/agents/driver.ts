import type * as v from "valibot";
import type { DriverName, Role, Usage } from "../records/agent.ts";
import type { AgentEvent } from "../records/agent-event.ts";
import type { Environment } from "../base/environment.ts";
import type { DropFolder } from "../system/drop-folder.ts";
import type { Enclosure } from "../process/enclosure.ts";
import type { SessionEnd } from "../process/supervise.ts";

/**
 * What every driver does: turn the request of a role into a finished session.
 *
 * A reply has the ending and the unread bytes of the result; the caller decides what they mean. When a reply is there,
 * nothing that the session started is still running, but for the `undead`. The caller removes the drop folder.
 */

export interface Driver {
  readonly name: v.InferOutput<typeof DriverName>;
  /**
   * A file below the folder of the session that is removed before and after, because the result is exchanged there;
   * absent or null where it uses none. The caller restores a person's own file.
   */
  readonly outputFile?: string | null;
  readonly run: (request: SessionRequest) => Promise<SessionReply>;
  /**
   * Whether several sessions may run side by side. Nobody can tell afterwards which of them wrote something, so it is
   * true only where they share no file, and run no program that anybody may have configured.
   */
  readonly runsSideBySide: boolean;
  /** Whether the program itself keeps a builder with these tools from writing outside; absent is no. */
  readonly confines?: (tools: readonly string[] | null) => boolean;
  /** The hosts of the service that its program needs, as names or addresses; absent is none that is known. */
  readonly hosts?: (environment: Environment) => Promise<readonly string[]>;
}

export type SessionRole = v.InferOutput<typeof Role>;

export interface SessionRequest {
  readonly role: SessionRole;
  /** Which of several sessions of this role it is. */
  readonly name?: string;
  /** Null is no prompt. */
  readonly prompt: string | null;
  /** Where it may write, in globs relative to `cwd`, for programs that take a scope; absent is nowhere. */
  readonly scope?: SessionScope;
  /** The tools that it may use, of those that the configuration grants; absent is all. */
  readonly tools?: readonly string[];
  /** Absent or null is no limit. A driver whose program has no such limit counts the turns itself. */
  readonly maxTurns?: number | null;
  /** The text about its role, for programs that take it apart from the prompt. */
  readonly system?: string;
  readonly model?: string;
  /** The JSON Schema of the result that is wanted; null where anything goes. */
  readonly schema: object | null;
  /** Further JSON files that it may leave in its drop folder, and that must be whole like the result. */
  readonly documents?: readonly string[];
  /** What its program is to keep of the session; absent is nothing. */
  readonly record?: RecordWish;
  /** The text of TASK.json; null where there is no task yet. */
  readonly taskText: string | null;
  /** The folder to work in, as the session sees it. */
  readonly cwd: string;
  /** The same folder as this process reaches it, which is also the root that `output_file` is relative to. */
  readonly tree: string;
  /** Where its program runs; null is beside us. */
  readonly enclosure: Enclosure | null;
  readonly drop: DropFolder;
  readonly runId: string;
  /** Where the transcript goes: `<role>.log` or `<role>-<name>.log`, appended to. */
  readonly runDirectory: string;
  /** The smaller of the role's own limit and what is left of the tick; only the caller knows which one it was. */
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number | null;
  /** How much the session may print before it is stopped. */
  readonly outputBytesMax: number;
  /** The environment of the person, of which little is passed on. */
  readonly environment: Environment;
  /** Variables to pass on besides the built-in list. */
  readonly environmentNames: readonly string[];
  readonly signal: AbortSignal;
  /** Called while the session works, as far as the driver can tell. It must not throw. */
  readonly onEvent?: (event: AgentEvent) => void;
}

/** A program notes what was said in a session, and can go on from there. */
export interface RecordWish {
  /** By which the program finds it; a program that takes no name for a new session answers with its own. */
  readonly id: string;
  /** What the session that it goes on with had spent, because programs count on from there; null for a new session. */
  readonly earlier: { readonly spent: SessionUsage | null } | null;
}

/** The cause where a program did not find the session that it should go on with. No model was asked. */
export const SESSION_LOST = "session_lost";

/** What this session spent, where the program counts all sessions of one record together. */
export function countOwnUsage(total: SessionUsage | null, wish: RecordWish | undefined): SessionUsage | null {
  const spent = wish?.earlier?.spent ?? null;
  if (total === null || spent === null) return total;
  const left = (name: keyof SessionUsage): number | null => {
    const [all, before] = [total[name], spent[name]];
    return all === null || before === null || all < before ? all : all - before;
  };
  return {
    input_tokens: left("input_tokens"),
    cached_input_tokens: left("cached_input_tokens"),
    output_tokens: left("output_tokens"),
    cost_usd: left("cost_usd"),
  };
}

/** What is forbidden wins. It does not cover the drop folder, in which every session may write. */
export interface SessionScope {
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
}

export type SessionResult =
  | { readonly kind: "left"; readonly data: Uint8Array }
  | { readonly kind: "absent"; readonly cause: AbsentCause; readonly message: string };

export type AbsentCause =
  | "result_missing"
  /** A process that outlived the program was still to write it. */
  | "result_late"
  | "result_is_link"
  | "result_is_folder"
  | "result_is_special"
  | "result_too_large"
  | "result_unreadable";

export type SessionEnding =
  | { readonly kind: "finished"; readonly result: SessionResult; readonly usage: SessionUsage | null }
  /** `message` may quote what the program printed, so it is to be shown as untrusted text. */
  | {
      readonly kind: "failed";
      readonly code: "STOP_INTERRUPTED" | "STOP_OUTPUT_LIMIT" | "STOP_RATE_LIMITED" | "STOP_DIFF_TOO_LARGE";
      readonly cause: string;
      readonly message: string;
      /** When a limit is lifted, as an ISO time, where the program said so. */
      readonly until?: string | null;
      readonly usage?: SessionUsage | null;
    }
  /** The code depends on whose limit it was, so the caller chooses it. */
  | { readonly kind: "timed-out"; readonly limit: "time" | "idle" }
  | { readonly kind: "not-found"; readonly program: string; readonly message: string }
  | { readonly kind: "aborted" };

export type SessionUsage = v.InferOutput<typeof Usage>;

export type SessionReply = SessionEnding &
  Pick<SessionEnd, "durationMs" | "survivors" | "undead"> & {
    /** Notes for people about the session, each one sentence without a full stop. */
    readonly notes?: readonly string[];
    /** What the program kept, as far as it said so; absent where nothing was to be kept. */
    readonly record?: { readonly id: string; readonly spent: SessionUsage | null };
  };

/** The parts of a moment that a sentence names, in the time of this machine; null is "not named". */
export interface ClockWords {
  readonly year: string | null;
  /** Its first three letters. */
  readonly month: string | null;
  readonly day: string | null;
  readonly hour: string;
  readonly minute: string;
  readonly isAfternoon: boolean;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MINUTE_MS = 60_000;

/**
 * The next such moment, in milliseconds; null for an unknown month.
 *
 * A past time of day means tomorrow, and a past day next year. Without seconds the present minute is not past: a limit
 * that ends any moment does not end tomorrow.
 */
export function findClockMoment(words: ClockWords, nowMs: number): number | null {
  const hour = (Number(words.hour) % 12) + (words.isAfternoon ? 12 : 0);
  const minute = Number(words.minute);
  const today = new Date(nowMs);
  const isAhead = (at: number): boolean => at + MINUTE_MS > nowMs;
  const on = (year: number, month: number, day: number): number => new Date(year, month, day, hour, minute).getTime();
  if (words.month === null || words.day === null) {
    const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
    const at = on(year, month, day);
    return isAhead(at) ? at : on(year, month, day + 1);
  }
  const month = MONTHS.indexOf(words.month);
  if (month === -1) return null;
  if (words.year !== null) return on(Number(words.year), month, Number(words.day));
  const at = on(today.getFullYear(), month, Number(words.day));
  return isAhead(at) ? at : on(today.getFullYear() + 1, month, Number(words.day));
}

/** Beyond it an ISO time has more digits for its year, and no document takes it. */
const LAST_MOMENT_MS = Date.UTC(9999, 11, 31);

/** A moment that a service named, as an ISO time; null for an impossible one. */
export function readMoment(ms: number): string | null {
  return ms >= 0 && ms <= LAST_MOMENT_MS ? new Date(ms).toISOString() : null;
}
