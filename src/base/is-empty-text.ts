const COMMENT = /<!--[\s\S]*?-->/g;
const HEADING = /^#{1,6}(?:\s.*)?$/gm;

/** Nothing but headings and comments, as `init` writes it. */
export function isEmptyText(markdown: string): boolean {
  return markdown.replaceAll(COMMENT, "").replaceAll(HEADING, "").trim() === "";
}
