import * as v from "valibot";
import { CODES, type Code, type CodeOf } from "./codes.ts";

const codes = Object.keys(CODES).filter((key): key is Code => key in CODES);

function isBlocked(code: Code): code is CodeOf<"blocked"> {
  return CODES[code].verdict === "blocked";
}

/** Any way a tick can end. */
export const AnyCode = v.picklist(codes);

/** The codes that BLOCKED.json may carry. */
export const BlockedCode = v.picklist(codes.filter(isBlocked));

export const AnyVerdict = v.picklist(["success", "stop", "blocked"]);

const agreement = (verdict: string, pattern: string) => ({
  anyOf: [
    { not: { properties: { verdict: { const: verdict } }, required: ["verdict"] } },
    { properties: { code: { pattern } } },
  ],
});

/** What JSON Schema can say about the agreement of `verdict` and `code`: the prefix of the code. */
export const VERDICT_MATCHES_CODE = {
  allOf: [agreement("success", "^SUCCESS$"), agreement("stop", "^STOP_"), agreement("blocked", "^BLOCKED_")],
};

/** Whether a code belongs to a verdict; a document in which they differ is forged or damaged. */
export function verdictMatchesCode(document: { readonly verdict: string; readonly code: Code }): boolean {
  return CODES[document.code].verdict === document.verdict;
}
