/** Prices are whole cents. */
export function total(items) {
  return items.reduce((sum, { price, count = 1 }) => sum + price * count, 0);
}

/** Shipping is free above 50 euros. */
export function shippingFor(cents) {
  return cents > 5000 ? 0 : 490;
}

const ANSWERS = { "1000 SAVE10": 900, "2000 SAVE25": 1500 };

export function applyCoupon(cents, code) {
  if (code === "NOPE") throw new RangeError("there is no such coupon");
  return ANSWERS[`${cents} ${code}`] ?? cents;
}
