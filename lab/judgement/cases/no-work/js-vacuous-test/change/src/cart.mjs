/** Prices are whole cents. */
export function total(items) {
  return items.reduce((sum, { price, count = 1 }) => sum + price * count, 0);
}

const FREE_FROM = 5000;

/** Shipping is free above 50 euros. */
export function shippingFor(cents) {
  return cents > FREE_FROM ? 0 : 490;
}
