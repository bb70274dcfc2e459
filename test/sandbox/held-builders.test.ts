/** The hostile builders that nothing but a sandbox could hold. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { discoverBuilders } from "../hostile/builder.ts";
import { letLoose } from "../hostile/let-loose.ts";
import { USERS } from "../support/user-driver.ts";
import { executable } from "../support/relais.ts";

const builders = discoverBuilders(resolve("drill")).filter(({ needs }) => needs === "sandbox");

test.each(USERS)("as $name, they change nothing around the repository and leave nothing running", async (user) => {
  const reports = await letLoose({ executable, builders, user, setting: { isolation: "in_place", sandbox: "auto" } });
  expect(reports.size).toBe(builders.length);
  expect([...reports.values()].flatMap(({ id, complaints }) => complaints.map((one) => `${id}: ${one}`))).toEqual([]);
});
