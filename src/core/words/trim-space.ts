const SPACE = " \t\n\r";

/**
 * Takes spaces, tabs and line ends off both ends, and no other white space: a name may end with one.
 * By hand, because a pattern that looks for spaces at the end takes quadratic time on a megabyte of them.
 */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.includes(text.charAt(start))) start += 1;
  while (end > start && SPACE.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
