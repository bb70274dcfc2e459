/** A builder that writes through shared memory leaves the times of the file as they were. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { canMap, mapWriteArgv } from "../support/map-write.ts";
import { inWorld } from "../support/scenario.ts";

/** After this time, a file is not read again just because it is new. */
const OLD_MS = 2_100;

test.skipIf(!canMap)("is found and reverted, also in memory (needs python3)", () =>
  inWorld(
    {
      files: { "docs/guide.md": "Guide.\n" },
      steps: [{ do: "run", argv: mapWriteArgv("docs/guide.md", "Forged") }],
    },
    async (world) => {
      await sleep(OLD_MS);
      expect(JSON.parse((await world.run()).stdout)).toMatchObject({
        code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
        settle: { action: "rollback" },
      });
      expect(world.read("docs/guide.md")).toBe("Guide.\n");
    },
  ),
);

/** Changes the time in the last line of the journal, where nobody would look for the times of the file. */
const FORGE = `
import glob, mmap
with open(glob.glob("../../state/relais/*/journal.jsonl")[0], "r+b") as file:
    view = mmap.mmap(file.fileno(), 0)
    at = view.rfind(b'"at":"2')
    view[at + 6:at + 7] = b"3"
    view.close()
`;

test.skipIf(!canMap)("into the journal is found, too (needs python3)", () =>
  inWorld({ ownProcess: true, steps: [{ do: "run", argv: ["python3", "-c", FORGE] }] }, async (world) => {
    expect(JSON.parse((await world.run()).stdout)).toMatchObject({
      code: "STOP_RUNNER_OWNED_MUTATION",
      cause: "journal_changed",
    });
  }),
);
