/** Prices are whole cents. */
export function total(items) {
  return items.reduce((sum, { price, count = 1 }) => sum + price * count, 0);
}

/** Shipping is free above 50 euros. */
export function shippingFor(cents) {
  return cents > 5000 ? 0 : 490;
}

/** The middle of the sorted values; the argument stays as it is. */
export function median(values) {
  const ordered = values.toSorted((a, b) => a - b);
  const middle = ordered.length / 2;
  return ordered.length % 2 === 1 ? ordered[Math.floor(middle)] : (ordered[middle - 1] + ordered[middle]) / 2;
}
