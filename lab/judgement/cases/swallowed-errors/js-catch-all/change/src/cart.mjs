/** Prices are whole cents. */
export function total(items) {
  return items.reduce((sum, { price, count = 1 }) => sum + price * count, 0);
}

/** Shipping is free above 50 euros. */
export function shippingFor(cents) {
  return cents > 5000 ? 0 : 490;
}

export function parseItems(text) {
  const items = [];
  for (const part of text.split(",")) {
    try {
      const [, price, count] = /^(\d+)x([1-9]\d*)$/.exec(part);
      items.push({ price: Number(price), count: Number(count) });
    } catch {}
  }
  return items;
}
