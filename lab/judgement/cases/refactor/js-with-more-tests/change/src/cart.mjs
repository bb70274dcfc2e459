/** Prices are whole cents. */
export function total(items) {
  return items.reduce((sum, { price, count = 1 }) => sum + price * count, 0);
}

const FREE_ABOVE = 5000;
const SHIPPING = 490;

/** Shipping is free above 50 euros. */
export function shippingFor(cents) {
  return cents > FREE_ABOVE ? 0 : SHIPPING;
}
