import type { Plan } from "./plan.ts";

/** A plan without the steps and faults that the violation does not need. */
export async function shrinkPlan(plan: Plan, isStillBad: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let smallest = plan;
  for (let at = plan.steps.length - 1; at >= 0; at -= 1) {
    const smaller = { ...smallest, steps: smallest.steps.filter((_, index) => index !== at) };
    if (await isStillBad(smaller)) smallest = smaller;
  }
  for (const { number, faults } of smallest.steps)
    for (const fault of faults) {
      const steps = smallest.steps.map((step) =>
        step.number === number ? { ...step, faults: step.faults.filter((one) => one !== fault) } : step,
      );
      if (await isStillBad({ ...smallest, steps })) smallest = { ...smallest, steps };
    }
  return smallest;
}
