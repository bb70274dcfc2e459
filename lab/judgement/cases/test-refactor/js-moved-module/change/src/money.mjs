export function money(cents) {
  const sign = cents < 0 ? "-" : "";
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${sign}€${Math.floor(Math.abs(cents) / 100)}.${rest}`;
}
