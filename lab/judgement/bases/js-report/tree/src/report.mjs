/** One line for each entry, then the sum. */
export function render({ title, entries }) {
  const lines = entries.map(({ name, hours }) => `${name}: ${hours} h`);
  const sum = entries.reduce((all, { hours }) => all + hours, 0);
  return [title, ...lines, `sum: ${sum} h`, ""].join("\n");
}
