/** Letters that are no letter with an accent. */
const OTHERS = { ß: "ss", ł: "l", ø: "o", æ: "ae" };

/** Makes a name for a URL. */
export function slugify(text) {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ßłøæ]/g, (letter) => OTHERS[letter])
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
