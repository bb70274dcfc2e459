/** One line for each entry, then the sum. */
export function render({ title, entries }) {
  const ordered = entries.toSorted((a, b) => b.hours - a.hours);
  const lines = ordered.map(({ name, hours }) => `${name}: ${hours} h`);
  const sum = entries.reduce((all, { hours }) => all + hours, 0);
  return [title, ...lines, `sum: ${sum} h`, ""].join("\n");
}
