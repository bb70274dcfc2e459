import { expect, test } from "vitest";
import { listIsolations } from "../support/isolations.ts";
import { strikeSample } from "./strike-sample.ts";

const KINDS = ["committed", "undecided", "rolled-back"] as const;
const OF_ALL = (await listIsolations()).flatMap((isolation) => KINDS.map((kind) => [kind, isolation] as const));

test.each(OF_ALL)(
  "a tick that is %s, %s, can be killed anywhere and is recovered",
  async (kind, isolation) => {
    await expect(strikeSample(kind, isolation)).resolves.toBeUndefined();
  },
  600_000,
);
