import type { WidePlan } from "./plan.ts";

type IsStillBad = (plan: WidePlan) => Promise<boolean>;

/** The plan without the faults, starts, limits and wild agents that the violation does not need. */
export async function shrinkWide(plan: WidePlan, isStillBad: IsStillBad): Promise<WidePlan> {
  let smallest = plan;
  const attempt = async (smaller: WidePlan): Promise<boolean> => {
    const isSmaller = await isStillBad(smaller);
    if (isSmaller) smallest = smaller;
    return isSmaller;
  };
  for (const fault of plan.faults)
    await attempt({ ...smallest, faults: smallest.faults.filter((one) => one !== fault) });
  for (let starts = 0; starts < smallest.starts; starts += 1) if (await attempt({ ...smallest, starts })) break;
  // The first choices are drawn as before, the others are good.
  for (let wild = 0; wild < smallest.wild; wild = wild * 2 + 1) if (await attempt({ ...smallest, wild })) break;
  await attempt({ ...smallest, budget: NO_BUDGET });
  for (const simple of SIMPLE) await attempt({ ...smallest, ...simple });
  return smallest;
}

const NO_BUDGET: WidePlan["budget"] = {
  builder: null,
  orchestrator: null,
  reviewer: null,
  verify: null,
  ticks: null,
  dollars: null,
  isOfMilestone: false,
};

const SIMPLE: readonly Partial<WidePlan>[] = [
  { settle: "auto" },
  { reviewers: 0, quorum: 1 },
  { baseline: false },
  { fallbacks: 0 },
  { isLying: false },
];
