export function parseAmount(text) {
  const found = /^(\d+)(?:\.(\d\d))? ([A-Z]{3})$/.exec(text);
  if (found === null) throw new SyntaxError(text);
  return { cents: Number(found[1]) * 100 + Number(found[2] ?? 0), currency: found[3] };
}
