import * as v from "valibot";
import { CODES, type Code, type CodeOf } from "./codes.ts";

const codes = Object.keys(CODES).filter((key): key is Code => key in CODES);

function isBlocked(code: Code): code is CodeOf<"blocked"> {
  return CODES[code].verdict === "blocked";
}

export const AnyCode = v.picklist(codes);

export const BlockedCode = v.picklist(codes.filter(isBlocked));

export const AnyVerdict = v.picklist(["success", "stop", "blocked"]);

const describeAgreement = (verdict: string, pattern: string) => ({
  anyOf: [
    { not: { properties: { verdict: { const: verdict } }, required: ["verdict"] } },
    { properties: { code: { pattern } } },
  ],
});

export const VERDICT_MATCHES_CODE = {
  allOf: [
    describeAgreement("success", "^SUCCESS$"),
    describeAgreement("stop", "^STOP_"),
    describeAgreement("blocked", "^BLOCKED_"),
  ],
};

/** A document in which they differ is forged or damaged. */
export function verdictMatchesCode(document: { readonly verdict: string; readonly code: Code }): boolean {
  return CODES[document.code].verdict === document.verdict;
}
