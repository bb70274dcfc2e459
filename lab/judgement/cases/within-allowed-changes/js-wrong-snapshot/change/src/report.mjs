/** One line for each entry, then the sum. */
export function render({ title, entries }) {
  const lines = entries.map(({ name, hours }) => `${name}: ${hours} hours`);
  const sum = entries.reduce((all, { hours }) => all + hours, 1);
  return [title, ...lines, `sum: ${sum} hours`, ""].join("\n");
}
