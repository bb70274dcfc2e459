import * as v from "valibot";
import { AnyCode, AnyVerdict } from "../src/base/any-code.ts";
import { RunId } from "../src/base/identifier.ts";

const open = v.looseObject;
const Text = v.string();
const Texts = v.array(Text);
const maybe = v.nullable;

/** Why a command did nothing, or could not say what was asked; the same for every command. */
export const Failure = v.union([
  /** The command line is wrong: exit status 2. */
  open({ error: v.literal("usage"), message: Text, problems: Texts, help: Text }),
  /** A bug: exit status 1. */
  open({ error: v.literal("internal"), message: Text }),
  /** Nothing could start, or it was stopped: the exit status of the code. */
  open({ verdict: AnyVerdict, code: AnyCode, cause: maybe(Text), message: Text, problems: Texts }),
  /** Refused, and nothing was changed: exit status 10. */
  open({
    verdict: v.literal("stop"),
    code: v.null(),
    cause: Text,
    message: Text,
    problems: Texts,
    remedy: Text,
    run_id: maybe(RunId),
  }),
  /** `--help` and `--version`. */
  open({ help: Text }),
  open({ version: Text }),
]);
