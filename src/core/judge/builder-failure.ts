import type { Gate } from "./gate.ts";

/** Refuses the work of a builder that failed before there was anything to judge. */
export const builderFailure: Gate = {
  id: "builder-failure",
  refuse: ({ evidence: { builder_failure: failure } }) =>
    failure === null
      ? []
      : [
          {
            code: failure.code,
            subject: "builder",
            rule: `The builder failed: ${failure.cause}.`,
            glob: null,
          },
        ],
};
