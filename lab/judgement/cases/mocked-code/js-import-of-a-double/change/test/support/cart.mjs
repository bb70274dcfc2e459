export function applyCoupon(cents, code) {
  const percent = { SAVE10: 10, SAVE25: 25 }[code];
  if (percent === undefined) throw new RangeError(code);
  return cents - (cents * percent) / 100;
}
