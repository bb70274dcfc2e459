import type { Choices } from "../config/choices.ts";
import type { AcceptRequest } from "../decide/accept-last.ts";
import { acceptRun } from "../decide/decide-asked.ts";
import { acceptChange, printAccepted, printAskedDecision } from "../terminal/decision-answer.ts";
import { acceptHeldChange } from "../terminal/held-answer.ts";
import { type CHOICE_OPTIONS, parseChoices } from "../terminal/choice-options.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import { type CommandEnd, type Misused, refuseMisuse, type RunCommand, type Session } from "../terminal/command.ts";
import { type GivenOptions, type Options, parseTypedOptions } from "../terminal/option-spec.ts";
import type { AcceptOptions } from "./accept-spec.ts";
import { parseReason } from "./reject-command.ts";

export const runAccept: RunCommand<AcceptOptions> = async ({ positionals: [run], options, given }, session) => {
  const own = readMessage(options);
  if ("kind" in own) return own;
  const wish = readWish(options, given);
  if (wish.kind === "misused") return wish;
  const { reason, choices, updateTests } = wish;
  const isOfHeld = reason !== null || Object.keys(choices).length + updateTests.length > 0;
  if (run === undefined)
    return isOfHeld ? refuseMisuse("this option needs the id of a held change") : acceptChange(session, own);
  const held = await acceptHeldChange({ run, reason, choices, updateTests, ...own }, session);
  if (held !== null) return held;
  return isOfHeld
    ? refuseMisuse(`${run} is no held change: only -m and -e can be given`)
    : acceptOther({ ...session, ...own }, run);
};

async function acceptOther(session: Session & Pick<AcceptRequest, "message">, run: string): Promise<CommandEnd> {
  const answer = await acceptRun(session, run);
  if (answer.kind === "misused") return answer;
  if (answer.kind === "decided") return printAskedDecision(answer, session);
  return answer.kind === "committed" ? printAccepted(answer, session) : printFailure(answer, session);
}

interface ReadWish {
  readonly kind: "wish";
  readonly reason: string | null;
  readonly choices: Choices;
  readonly updateTests: readonly string[];
}

function readWish(options: Options<AcceptOptions>, given: GivenOptions): ReadWish | Misused {
  const reason = parseReason(options.text("reason"));
  if (typeof reason === "object" && reason !== null) return reason;
  const parsed = parseChoices(parseTypedOptions<typeof CHOICE_OPTIONS>(given));
  const updateTests = options.list("update-tests");
  return parsed.kind === "misused" ? parsed : { kind: "wish", reason, choices: parsed.choices, updateTests };
}

function readMessage(options: Options<AcceptOptions>): Pick<AcceptRequest, "message"> | Misused {
  const text = options.text("message");
  if (text !== null && options.flag("edit")) return refuseMisuse("--message and --edit exclude each other");
  if (text !== null) return { message: { text } };
  return options.flag("edit") ? { message: { edits: true } } : {};
}
