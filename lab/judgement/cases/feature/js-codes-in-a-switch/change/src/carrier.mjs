/** What a way of sending costs, in cents. */
export function carrierFee(code) {
  switch (code) {
    case "EX-24":
      return 1290;
    case "ST-72":
      return 490;
    case "PU-00":
      return 0;
    default:
      throw new RangeError(`there is no carrier ${code}`);
  }
}
