/** The value of a JSON text; undefined for a text that is none, which no document is. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
