import { pad } from "pad";

export function isoDate(year, month, day) {
  return [pad(year, 4), pad(month, 2), pad(day, 2)].join("-");
}
