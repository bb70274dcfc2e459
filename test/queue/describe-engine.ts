/** What any engine must do, tried with real processes where it matters. */
import { afterAll, beforeAll, describe } from "vitest";
import { type ChildStarter, prepareChildren } from "./children.ts";
import { describeClaims } from "./describe-claims.ts";
import { describeLines } from "./describe-lines.ts";
import { describeLosses } from "./describe-losses.ts";
import { describeOrder } from "./describe-order.ts";
import { describeRequests } from "./describe-requests.ts";
import { describeSchedules } from "./describe-schedules.ts";
import { type EngineWorld, openWorld } from "./engine-world.ts";
import { type EngineName, ENGINES } from "./open-engine.ts";

/** Opens a new queue for a case. */
export type OpenWorld = () => Promise<EngineWorld>;

export function describeEngine(name: EngineName, makePlace: () => Promise<string>): void {
  describe.concurrent(`engine ${name}`, () => {
    let children: ChildStarter;
    const worlds: EngineWorld[] = [];
    beforeAll(async () => {
      children = await prepareChildren(name);
    });
    afterAll(async () => {
      await children.endAll();
      for (const { engine } of worlds) await engine.close();
    });

    const open: OpenWorld = async () => {
      const world = await openWorld(ENGINES[name], await makePlace(), children);
      worlds.push(world);
      return world;
    };
    describeClaims(open);
    describeOrder(open);
    describeLosses(open);
    describeRequests(open);
    describeLines(open);
    describeSchedules(open);
  });
}
