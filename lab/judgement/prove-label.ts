/** A label is not believed: the held-out check of the case must agree, and the visible checks must end as expected. */
import { applyChange } from "./apply-change.mjs";
import type { Base, LabelledCase } from "./labelled-case.ts";
import { findRedCheck, passesHeldOut, withPlace } from "./open-place.ts";

export interface ProofRequest {
  readonly root: string;
  readonly base: Base;
  readonly labelled: LabelledCase;
}

/** Answers with what is wrong about the case; an empty list is a proof. */
export async function proveLabel(request: ProofRequest): Promise<readonly string[]> {
  const { base, labelled } = request;
  return withPlace(request, async (place) => {
    const { label, expected } = labelled;
    const faults: string[] = [];
    const holdsBefore = await passesHeldOut(place);
    if (holdsBefore !== (expected.base === "passes"))
      faults.push(`the held-out check ${holdsBefore ? "passes" : "fails"} before the change`);
    applyChange(labelled.file, place.tree);
    const red = await findRedCheck(place, labelled.checks ?? base.checks);
    if ((red === null) !== (expected.checks === "green"))
      faults.push(red === null ? "the visible checks are green" : `the visible check ${red} is red`);
    const holds = await passesHeldOut(place);
    if (holds !== (label === "good")) faults.push(`the held-out check ${holds ? "passes" : "fails"}: not ${label}`);
    return faults;
  });
}
