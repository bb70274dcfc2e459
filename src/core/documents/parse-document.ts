import { extractJson, type ExtractLimits } from "./extract-json.ts";

export type ParsedDocument =
  | { readonly kind: "document"; readonly value: Readonly<Record<string, unknown>> }
  /** `problem` goes on from the name of the file. */
  | { readonly kind: "broken"; readonly problem: string };

/**
 * Reads a JSON object that a person wrote into a file. A key that occurs twice is refused: the parser would take the
 * last one, and whoever reads the file from the top the first.
 */
export function parseDocument(data: Uint8Array, limits?: ExtractLimits): ParsedDocument {
  const found = extractJson(data, limits);
  if (found.kind === "object") {
    // An agent's answer may stand in a code fence, a file may not.
    return isBare(data)
      ? { kind: "document", value: found.value }
      : { kind: "broken", problem: "is not JSON: it is wrapped in a code fence" };
  }
  if (found.cause !== "not_json") return { kind: "broken", problem: `cannot be used: ${found.message}` };
  return { kind: "broken", problem: `is not JSON: ${parserWords(data) ?? found.message}` };
}

function isBare(data: Uint8Array): boolean {
  return new TextDecoder().decode(data).trimStart().startsWith("{");
}

/** What the parser says names the place, where it is the parser that refuses. */
function parserWords(data: Uint8Array): string | null {
  try {
    JSON.parse(new TextDecoder().decode(data));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : null;
  }
}
