/**
 * Where the ticks of a world work: in the working tree, unless a run of the tests asks for another place. The worlds that
 * use it tell how a tick in place ends; those without it take what a user gets.
 */
export const TEST_ISOLATION = process.env["RELAIS_TEST_ISOLATION"] ?? "in_place";
