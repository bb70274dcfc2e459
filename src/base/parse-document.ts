import { extractJson, type ExtractLimits } from "./extract-json.ts";

export type ParsedDocument =
  | { readonly kind: "document"; readonly value: Readonly<Record<string, unknown>> }
  /** `problem` continues a sentence that starts with the name of the file. */
  | { readonly kind: "broken"; readonly problem: string };

/**
 * Reads a JSON object from a file of a person. A duplicate key is refused: the parser would use the last one, a reader
 * the first.
 */
export function parseDocument(data: Uint8Array, limits?: ExtractLimits): ParsedDocument {
  const found = extractJson(data, limits);
  if (found.kind === "object") {
    // An agent's answer may be in a code fence, a file may not.
    return isBare(data)
      ? { kind: "document", value: found.value }
      : { kind: "broken", problem: "is not JSON: it is wrapped in a code fence" };
  }
  if (found.cause !== "not_json") return { kind: "broken", problem: `cannot be used: ${found.message}` };
  return { kind: "broken", problem: `is not JSON: ${describeParserError(data) ?? found.message}` };
}

function isBare(data: Uint8Array): boolean {
  return new TextDecoder().decode(data).trimStart().startsWith("{");
}

/** The parser's own message names the place. */
function describeParserError(data: Uint8Array): string | null {
  try {
    JSON.parse(new TextDecoder().decode(data));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : null;
  }
}
