const SYMBOL = "€";

export function money(cents) {
  const sign = cents < 0 ? "-" : "";
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  const euros = String(Math.floor(Math.abs(cents) / 100)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}${SYMBOL}${euros}.${rest}`;
}
