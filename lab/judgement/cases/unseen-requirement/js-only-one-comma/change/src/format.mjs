export function money(cents) {
  const sign = cents < 0 ? "-" : "";
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  const euros = String(Math.floor(Math.abs(cents) / 100)).replace(/(\d)(\d{3})$/, "$1,$2");
  return `${sign}€${euros}.${rest}`;
}
