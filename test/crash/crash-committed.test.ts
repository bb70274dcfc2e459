import { expect, test } from "vitest";
import { strikeSample } from "./strike-sample.ts";

test("a tick that is committed can be killed anywhere and is recovered", async () => {
  await expect(strikeSample("committed")).resolves.toBeUndefined();
}, 600_000);
