/** Prices are whole cents. */
export function total(items) {
  return items.reduce((sum, { price, count = 1 }) => sum + price * count, 0);
}

/** Shipping is free above 50 euros. */
export function shippingFor(cents) {
  return cents > 5000 ? 0 : 490;
}

/** Reads "250x2,100x1"; the error names the part that cannot be read. */
export function parseItems(text) {
  return text.split(",").map((part) => {
    const found = /^(\d+)x([1-9]\d*)$/.exec(part);
    if (found === null) throw new SyntaxError(`"${part}" is no price and count`);
    return { price: Number(found[1]), count: Number(found[2]) };
  });
}
