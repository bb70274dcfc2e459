import * as v from "valibot";
import { AnyCode } from "../base/any-code.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { neutralise } from "../base/neutralise.ts";

const Text = v.fallback(v.nullable(v.string()), null);
/** Every failure of a command, and the report of a tick that did not succeed. */
const FailedDocument = v.object({
  error: Text,
  code: v.fallback(v.nullable(AnyCode), null),
  cause: Text,
  message: Text,
  remedy: Text,
});

/** What went wrong and what to do next, in one line. */
export function describeFailedCall(document: object): string {
  const { error, code, cause, message, remedy } = v.parse(FailedDocument, { ...ABSENT, ...document });
  const words = code === null ? { meaning: "the answer says why.", remedy: null } : describeCause(code, cause);
  const next = remedy ?? words.remedy;
  const sentence = `${code ?? error ?? cause ?? "failed"}: ${message ?? words.meaning}`;
  return neutralise(next === null ? sentence : `${sentence} Next: ${next}`);
}

const ABSENT = { error: null, code: null, cause: null, message: null, remedy: null };
