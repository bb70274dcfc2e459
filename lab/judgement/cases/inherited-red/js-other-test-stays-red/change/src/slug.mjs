/** Makes a name for a URL, cut at `max` characters. */
export function slugify(text, { max = Infinity } = {}) {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, max)
    .replace(/-$/, "");
}
