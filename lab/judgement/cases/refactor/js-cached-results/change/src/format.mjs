const KEPT_MAX = 1000;
const kept = new Map();

export function money(cents) {
  const known = kept.get(cents);
  if (known !== undefined) return known;
  if (kept.size >= KEPT_MAX) kept.clear();
  const text = format(cents);
  kept.set(cents, text);
  return text;
}

function format(cents) {
  const sign = cents < 0 ? "-" : "";
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${sign}€${Math.floor(Math.abs(cents) / 100)}.${rest}`;
}
