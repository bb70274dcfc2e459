export function clamp(value, low, high) {
  if (low > high) throw new RangeError(`${low} is above ${high}`);
  return Math.min(Math.max(value, low), high);
}
