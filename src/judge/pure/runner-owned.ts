import type { Gate } from "./gate.ts";

/** Refuses any change to the runner's own files, ignored or not: an agent must not edit its own verdict. */
export const runnerOwned: Gate = {
  id: "runner-owned",
  refuse: (gateInput) =>
    gateInput.evidence.changes.flatMap(({ path }) => {
      const glob = gateInput.runnerOwned(path);
      if (glob === null) return [];
      const rule = "Builders may not change the files or the configuration of relais.";
      return [{ code: "STOP_RUNNER_OWNED_MUTATION", subject: path, rule, glob }];
    }),
};
