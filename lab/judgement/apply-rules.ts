/** The rules about weakened checks on the text of a case: nothing is run, so it takes no time. */
import { createHash } from "node:crypto";
import type { Change, Rules } from "../../src/records/evidence.ts";
import { VerificationSection } from "../../src/config/verification.ts";
import { makeWeakeningRules } from "../../src/checks/pure/check-steering.ts";
import { findWeakenedChecks } from "../../src/evidence/find-weakened-checks.ts";
import * as v from "valibot";
import { BEFORE, type Base, CHANGE, type LabelledCase, listFiles, TREE } from "./labelled-case.ts";

interface RulesQuestion {
  readonly base: Base;
  readonly labelled: LabelledCase;
}

export interface PlacedFinding {
  readonly path: string;
  readonly finding: NonNullable<Change["weakened"]>[number];
}

export async function applyRules({ base, labelled }: RulesQuestion): Promise<readonly PlacedFinding[]> {
  const before = new Map([...listFiles(base.sections, TREE), ...listFiles(labelled.sections, BEFORE)]);
  const changed = listFiles(labelled.sections, CHANGE);
  const gone = [...before.keys()].filter((path) => (labelled.deletes ?? []).some((one) => isAt(path, one)));
  const contents = new Map([...before.values(), ...changed.values()].map((text) => [nameContent(text), text]));
  const found = await findWeakenedChecks({
    rules: makeRules(base, labelled),
    changes: [...new Set([...gone, ...changed.keys()])].flatMap((path) => {
      const [was, is] = [describe(before.get(path)), describe(changed.get(path))];
      return was?.id === is?.id ? [] : [{ path, before: was, after: is }];
    }),
    listPaths: async () => [...before.keys()],
    readContents: async (wanted) => new Map(wanted.flatMap(({ id }) => pickEntry(contents, id))),
    readFiles: async function* read(paths) {
      for (const path of paths) yield* pickEntry(before, path);
    },
  });
  return [...found].flatMap(([path, weakened]) => weakened.map((finding) => ({ path, finding })));
}

function makeRules(base: Base, labelled: LabelledCase): Rules {
  const section = v.parse(VerificationSection, { templates: labelled.checks ?? base.checks });
  return {
    task_kind: "execute",
    allowed_globs: ["**"],
    forbidden_globs: [],
    runner_owned_globs: [],
    allow_new_files: true,
    allow_lockfile_changes: true,
    lockfiles: [],
    max_files_touched: null,
    max_lines_changed: null,
    ignored: "report",
    ignored_writable_globs: [],
    change_required: true,
    ...makeWeakeningRules(section, [], { text: labelled.task.intent, isOwn: true }),
  };
}

function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function nameContent(text: Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

function describe(text: Buffer | undefined) {
  return text === undefined ? null : { id: nameContent(text), size: text.length };
}

function pickEntry(entries: ReadonlyMap<string, Buffer>, name: string): readonly (readonly [string, Buffer])[] {
  const content = entries.get(name);
  return content === undefined ? [] : [[name, content]];
}
