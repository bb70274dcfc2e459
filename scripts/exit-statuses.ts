import { CODES, SERIES_ENDS } from "../src/base/codes.ts";

const OF_THE_COMMAND_LINE: readonly (readonly [number, string])[] = [
  [1, "an internal error"],
  [2, "a wrong use of the command line"],
  [10, "a command that was refused as things are (nothing waits for it, files differ); nothing was changed"],
  [129, "ended by SIGHUP"],
  [130, "ended by SIGINT"],
  [143, "ended by SIGTERM"],
];

/** Every exit status with the codes and the ends of a series that lead to it, from the tables that decide it. */
export function exitStatuses(): readonly (readonly [number, string])[] {
  const named = [...Object.entries(CODES), ...Object.entries(SERIES_ENDS)];
  const statuses = [...new Set(named.map(([, { exit }]) => exit))];
  const told = statuses.map((status) => {
    const names = named.filter(([, { exit }]) => exit === status).map(([name]) => name);
    return [status, names.join(", ")] as const;
  });
  return [...told, ...OF_THE_COMMAND_LINE].toSorted(([one], [other]) => one - other);
}
