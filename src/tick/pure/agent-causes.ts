/**
 * Why a session of an agent failed, in words, and what helps. The causes are those that the drivers read from what the
 * programs print; every role has the same ones.
 */
import type { Code } from "../../base/codes.ts";

export interface CauseWords {
  readonly meaning: string;
  readonly remedy: string;
  /** The command that helps most; absent if the report says more. */
  readonly command?: string;
}

const DOCTOR = "relais doctor";

export const NOT_LOGGED_IN: CauseWords = {
  meaning: "The agent is not logged in.",
  remedy:
    "Claude Code: start `claude` once and type /login, or set ANTHROPIC_API_KEY. Codex: type `codex login`, or set CODEX_API_KEY.",
  command: DOCTOR,
};
const ACCOUNT_REFUSED: CauseWords = {
  meaning: "The agent's service refused the account.",
  remedy: "Read its words; log in with an account that may use this service and this model.",
  command: DOCTOR,
};
const OUT_OF_TURNS: CauseWords = {
  meaning: "The session used all its turns.",
  remedy: "Raise the key in the message, or make the task smaller; any change is kept in salvage.",
};
const OUT_OF_TIME: CauseWords = {
  meaning: "The agent ran past its time limit and was stopped.",
  remedy: "Raise the key in the message, or make the task smaller; any change is kept in salvage.",
};
const SILENT: CauseWords = {
  meaning: "The agent printed nothing for too long and was stopped.",
  remedy:
    "Read the end of its transcript: it may have waited for an answer. Raise the key in the message if it only works quietly.",
};
const SERVICE_DOWN: CauseWords = {
  meaning: "The agent's service failed.",
  remedy: "Nothing is wrong here: run the same command again in a few minutes.",
};
const OVERLOADED: CauseWords = {
  meaning: "The agent's service is overloaded.",
  remedy: "Run the same command again in a few minutes, or name another model or a fallback agent in `roles`.",
};
const UNREACHABLE: CauseWords = {
  meaning: "The agent's service cannot be reached.",
  remedy:
    "Check the network, the proxy and the address of the service (ANTHROPIC_BASE_URL, OPENAI_BASE_URL), then run again.",
};
const RATE_LIMITED: CauseWords = {
  meaning: "The agent's service allows no more requests for now.",
  remedy: "Wait until the time shown, then run again; or name a fallback agent in `roles`. The tick was not counted.",
};
const UNREADABLE: CauseWords = {
  meaning: "The agent's answer could not be read.",
  remedy: "Read its transcript; a plain answer is enough with `strict_builder_json` set to false.",
};
const BROKEN_RESPONSE: CauseWords = {
  meaning: "The agent's service sent an unreadable response.",
  remedy: "Check the proxy and the address of the service: something else may have answered. Then run again.",
};
const REQUEST_REFUSED: CauseWords = {
  meaning: "The agent's service refused the request as invalid.",
  remedy: "Read its words; most often the model or an option in `roles` does not fit the service.",
};
const KILLED: CauseWords = {
  meaning: "The agent's program was killed.",
  remedy: "Most often memory ran out, or somebody stopped it. Look at the machine, then run again.",
};
const PROGRAM_FAILED: CauseWords = {
  meaning: "The agent's program failed.",
  remedy: "Read its last words; `relais doctor` tries the program without a model.",
  command: DOCTOR,
};

/** Causes by their whole names. */
export const AGENT_CAUSES: Readonly<Record<string, CauseWords>> = {
  not_logged_in: NOT_LOGGED_IN,
  max_turns: OUT_OF_TURNS,
  timeout: OUT_OF_TIME,
  idle_timeout: SILENT,
  budget_exceeded: {
    meaning: "The session reached its cost limit.",
    remedy: "Raise `max_budget_usd`, or make the task smaller; any change is kept in salvage.",
  },
  refusal: {
    meaning: "The model refused the task.",
    remedy: "Read its words; describe the task in other words, or choose another model (`--model NAME`).",
  },
  model_unavailable: {
    meaning: "The model is unknown to the service, or not open to this account.",
    remedy: "Check its spelling, or name another one: `--model NAME`, or `roles` in relais.config.json.",
    command: DOCTOR,
  },
  prompt_too_long: {
    meaning: "The session became longer than the model's context.",
    remedy: "Make the task smaller, or choose a model with a larger context.",
  },
  max_tokens: {
    meaning: "One answer became longer than the model may write.",
    remedy: "Make the task smaller, so that each answer can be short.",
  },
  rate_limited: RATE_LIMITED,
  overloaded: OVERLOADED,
  server_error: SERVICE_DOWN,
  api_timeout: SERVICE_DOWN,
  api_error: SERVICE_DOWN,
  stream_cut: SERVICE_DOWN,
  stream_stalled: SERVICE_DOWN,
  connection_failed: UNREACHABLE,
  usage_limit: {
    meaning: "The usage limit of the account is reached.",
    remedy: "Wait until the time shown, then run again; or name a fallback agent in `roles`. The tick was not counted.",
  },
  quota_exceeded: {
    meaning: "The account has no credit left.",
    remedy: "Add credit at the provider, or name a fallback agent in `roles`; waiting does not help.",
  },
  malformed_response: BROKEN_RESPONSE,
  request_refused: REQUEST_REFUSED,
  schema_unsatisfied: {
    meaning: "The agent never answered in the demanded form.",
    remedy: "Choose a stronger model, or shorten its prompt; the form is a schema in the workspace.",
  },
  malformed_wrapper: PROGRAM_FAILED,
  no_verdict: PROGRAM_FAILED,
  turn_failed: PROGRAM_FAILED,
  usage_error: {
    meaning: "The agent's program does not accept its options.",
    remedy: "Update the program, or correct the options in relais.config.json.",
    command: DOCTOR,
  },
  root_refused: {
    meaning: "Claude Code refuses bypassPermissions for root.",
    remedy: "Set the permission mode to dontAsk, or run relais as an ordinary user.",
    command: DOCTOR,
  },
  interrupted: KILLED,
  processes_survived: {
    meaning: "A process of the agent could not be stopped.",
    remedy: "End it yourself, then run `relais recover`: it may still write.",
    command: "relais recover",
  },
  output_limit: {
    meaning: "The agent printed too much and was stopped.",
    remedy: "Look for repeated lines in its transcript; make its commands quieter.",
  },
  result_missing: {
    meaning: "The agent ended without an answer.",
    remedy: "Read its transcript; it may have stopped in the middle of its work. Then run again.",
  },
  result_late: {
    meaning: "The agent ended before its answer was written.",
    remedy: "Let its command wait for everything that it starts.",
  },
  result_invalid: UNREADABLE,
};

/** Causes with a number or a name in them, each with one of its names; the first that fits decides. */
export const CAUSE_FAMILIES: readonly (readonly [name: string, pattern: RegExp, words: CauseWords])[] = [
  ["api_error_401", /^api_error_401$/u, NOT_LOGGED_IN],
  ["api_error_403", /^api_error_40[23]$/u, ACCOUNT_REFUSED],
  ["api_error_429", /^api_error_429$/u, RATE_LIMITED],
  ["api_error_529", /^api_error_529$/u, OVERLOADED],
  ["api_error_500", /^api_error_(?:5\d\d|408)$/u, SERVICE_DOWN],
  ["api_error_400", /^api_error_4\d\d$/u, REQUEST_REFUSED],
  ["result_unreadable", /^(?:result_|answer_)/u, UNREADABLE],
  ["signal_SIGKILL", /^signal_/u, KILLED],
  ["exit_1", /^(?:exit_|not_started_)/u, PROGRAM_FAILED],
];

/** The codes of a failed session; another code has a reason of its own, whatever became of the session. */
const OF_SESSIONS: readonly Code[] = [
  "STOP_INTERRUPTED",
  "STOP_RATE_LIMITED",
  "STOP_OUTPUT_LIMIT",
  "STOP_BUILDER_TIMEOUT",
  "STOP_BUILDER_OUTPUT_INVALID",
];

export function findAgentCause(code: Code, cause: string | null): CauseWords | null {
  if (cause === null || !OF_SESSIONS.includes(code)) return null;
  const name = cause.replace(/^orchestrator_/u, "");
  if (Object.hasOwn(AGENT_CAUSES, name)) return AGENT_CAUSES[name] ?? null;
  return CAUSE_FAMILIES.find(([, pattern]) => pattern.test(name))?.[2] ?? null;
}
