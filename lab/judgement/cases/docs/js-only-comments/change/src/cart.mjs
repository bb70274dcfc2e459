/**
 * Prices are whole cents.
 * @param {{ price: number, count?: number }[]} items - What is in the cart.
 */
export function total(items) {
  return items.reduce((sum, { price, count = 1 }) => sum + price * count, 0);
}

/**
 * Shipping is free above 50 euros.
 * @param {number} cents - The price of the whole cart.
 */
export function shippingFor(cents) {
  return cents > 5000 ? 0 : 490;
}
