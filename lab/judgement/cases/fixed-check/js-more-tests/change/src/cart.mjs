/** Prices are whole cents. */
export function total(items) {
  return items.reduce((sum, { price, count = 1 }) => sum + price * count, 0);
}

/** Shipping is free above 50 euros. */
export function shippingFor(cents) {
  return cents > 5000 ? 0 : 490;
}

const PERCENT = { SAVE10: 10, SAVE25: 25 };

/** Takes a coupon off, rounded down to whole cents. */
export function applyCoupon(cents, code) {
  if (!Object.hasOwn(PERCENT, code)) throw new RangeError(`there is no coupon ${code}`);
  return cents - Math.floor((cents * PERCENT[code]) / 100);
}
