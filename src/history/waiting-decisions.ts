import type { Status, WaitingThing } from "../records/status-answers.ts";

type OpenDecisions = Pick<Status, "unfinished" | "question" | "accepted">;

export function listDecisions({ unfinished, question, accepted }: OpenDecisions): readonly WaitingThing[] {
  return [
    ...(unfinished === null
      ? []
      : [
          {
            kind: "tick",
            what: `the tick ${unfinished.runId} was interrupted`,
            command: "relais recover",
          } as const,
        ]),
    ...(question === null || question.answer !== null
      ? []
      : [
          {
            kind: "question",
            what: `a question of ${question.run_id}`,
            command: 'relais answer "..."',
          } as const,
        ]),
    ...(accepted === null
      ? []
      : [{ kind: "change", what: `the change of ${accepted.runId}`, command: "relais accept" } as const]),
  ];
}
