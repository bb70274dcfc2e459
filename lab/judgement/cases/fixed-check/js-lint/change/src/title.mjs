const first = (word) => word.slice(0, 1).toUpperCase() + word.slice(1);
const STYLES = {
  first,
  words: (text) => text.split(" ").map(first).join(" "),
  none: (text) => text,
};

/** Writes a title in the named style. */
export function title(text, style) {
  return STYLES[style](text);
}
