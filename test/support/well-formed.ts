/** Reads XML as strictly as a browser reads an image, as far as our own pictures go. */
const TOKEN =
  /<(?<close>\/?)(?<name>[a-z]+)(?<attributes>(?: [\w:-]+="[^"<]*")*)(?<empty>\/?)>|(?<text>[^<]+)/y;

interface Element {
  readonly name: string;
  readonly text: string;
}

/** Every element with its own text, in the order of their ends; throws where the text is no XML. */
export function elementsOf(xml: string): readonly Element[] {
  const elements: Element[] = [];
  const open: { name: string; text: string }[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(xml)?.groups;
    if (found === undefined) throw new Error(`no XML at ${at}: ${xml.slice(at, at + 80)}`);
    const { text, close, name = "", empty } = found;
    const last = open.at(-1);
    if (text !== undefined) {
      if (/&(?!(?:amp|lt|gt|quot);)/.test(text)) throw new Error(`a stray & at ${at}`);
      if (last !== undefined) last.text += text;
    } else if (close === "/") {
      if (last?.name !== name) throw new Error(`</${name}> closes ${last?.name ?? "nothing"} at ${at}`);
      elements.push({ name, text: unescaped(last.text) });
      open.pop();
    } else if (empty === "/") elements.push({ name, text: "" });
    else open.push({ name, text: "" });
  }
  if (open.length > 0) throw new Error(`never closed: ${open.map(({ name }) => name).join(", ")}`);
  return elements;
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
