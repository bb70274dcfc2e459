/** Reads XML as strictly as a browser reads an image, as far as our own pictures go. */
const TOKEN = /<\/(?<close>[a-z]+)>|<(?<open>[a-z]+)(?: [\w:-]+="[^"<]*")*(?<empty>\/?)>|(?<text>[^<]+)/gy;

interface Element {
  readonly name: string;
  text: string;
}

/** Every element with its own text, in the order of their ends; throws where the text is no XML. */
export function elementsOf(xml: string): readonly Readonly<Element>[] {
  const ended: Element[] = [];
  const opened: Element[] = [];
  let read = 0;
  for (const { 0: token, groups = {} } of xml.matchAll(TOKEN)) {
    read += token.length;
    if (groups["text"] !== undefined) addText(opened.at(-1), token);
    else if (groups["close"] !== undefined) ended.push(closed(opened.pop(), groups["close"]));
    else (groups["empty"] === "/" ? ended : opened).push({ name: groups["open"] ?? "", text: "" });
  }
  if (read < xml.length) throw new Error(`no XML: ${xml.slice(read, read + 80)}`);
  if (opened.length > 0) throw new Error(`never closed: ${opened.map(({ name }) => name).join(", ")}`);
  return ended;
}

function addText(element: Element | undefined, text: string): void {
  if (/&(?!(?:amp|lt|gt|quot);)/.test(text)) throw new Error(`a stray &: ${text.slice(0, 80)}`);
  if (element !== undefined) element.text += unescaped(text);
  else if (text.trim() !== "") throw new Error(`text outside of everything: ${text.slice(0, 80)}`);
}

function closed(element: Element | undefined, name: string): Element {
  if (element?.name === name) return element;
  throw new Error(`</${name}> closes ${element?.name ?? "nothing"}`);
}

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
