import { expect, test } from "vitest";
import { strikeSample } from "./strike-sample.ts";

test.each(["committed", "undecided"] as const)(
  "a tick that is %s can be killed anywhere and is recovered",
  async (kind) => {
    await expect(strikeSample(kind)).resolves.toBeUndefined();
  },
  600_000,
);
