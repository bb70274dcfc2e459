/** What git takes for white space, which is less than Unicode does: a branch may end with an ideographic space. */
const SPACE = " \t\n\v\f\r";

/** The text of a HEAD file without the white space around it. */
export function readHeadText(content: string): string {
  let start = 0;
  let end = content.length;
  while (start < end && SPACE.includes(content.charAt(start))) start += 1;
  while (end > start && SPACE.includes(content.charAt(end - 1))) end -= 1;
  return content.slice(start, end);
}
