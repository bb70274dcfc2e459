/** One line for each entry, then the sum. */
export function render({ title, entries }) {
  const lines = entries.map(({ name, hours }) => `${name}: ${hours} h`);
  const sum = entries.reduce((all, { hours }) => all + hours, 0);
  return [title, ...lines, `sum: ${sum} h`, ""].join("\n");
}

/** The title, then a row for each entry. */
export function renderTable({ title, entries }) {
  return [title, ...entries.map(({ name, hours }) => `${name} | ${hours}`), ""].join("\n");
}
