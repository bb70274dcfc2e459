import { extractJson, type ExtractedJson } from "./extract-json.ts";

/**
 * The object that an agent answered with. Programs that wrap their answer print `{"result": ...}` around it, with the
 * object itself or with its text; such a wrapper is taken off once.
 */
export function extractAnswer(data: Uint8Array): ExtractedJson {
  const extracted = extractJson(data);
  if (extracted.kind === "refused" || Object.keys(extracted.value).length !== 1) return extracted;
  const inner = extracted.value["result"];
  if (typeof inner === "string") return extractJson(new TextEncoder().encode(inner));
  return typeof inner === "object" && inner !== null && !Array.isArray(inner)
    ? { kind: "object", value: Object.fromEntries(Object.entries(inner)) }
    : extracted;
}
