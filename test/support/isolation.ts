/**
 * Where the ticks of a world work: in the working tree, unless a run of the tests asks for another place. The worlds that
 * use it tell how a tick in place ends; those without it take what a user gets.
 */
export const TEST_ISOLATION = process.env["RELAIS_TEST_ISOLATION"] ?? "in_place";

/** Worlds with checks that fail before the build: most were made before anybody asked. */
export function pinWorld(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { verification } = config;
  const checks = typeof verification === "object" && verification !== null ? verification : {};
  return { isolation: TEST_ISOLATION, ...config, verification: { baseline: "off", ...checks } };
}
