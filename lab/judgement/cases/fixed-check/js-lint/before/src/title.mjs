const first = (word) => word.slice(0, 1).toUpperCase() + word.slice(1);
const words = (text) => text.split(" ").map(first).join(" ");
const none = (text) => text;

/** Writes a title in the named style. */
export function title(text, style) {
  return eval(style)(text);
}
