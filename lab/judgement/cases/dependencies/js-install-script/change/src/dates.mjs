import { pad } from "pad";
import { monthName } from "words";

export function isoDate(year, month, day) {
  return [pad(year, 4), pad(month, 2), pad(day, 2)].join("-");
}

export function longDate(year, month, day) {
  return `${day} ${monthName(month)} ${year}`;
}
