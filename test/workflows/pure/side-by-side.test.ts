import * as v from "valibot";
import { expect, test } from "vitest";
import { Task } from "../../../src/records/task.ts";
import { listSideBySide } from "../../../src/workflows/pure/side-by-side.ts";
import { executeTask } from "../../support/tasks.ts";

const makeTask = (...allowed_globs: string[]) =>
  v.parse(Task, { ...executeTask, scope: { ...executeTask.scope, allowed_globs } });

test.each([
  [["src/a.ts"], ["src/b.ts"], true],
  [["src/a.ts"], ["src/a.ts"], false],
  [["src/a.ts"], ["src/**"], false],
  [["src/**"], ["src/a.ts"], false],
  [["src/**"], ["test/**"], true],
  [["src/**"], ["src/parser/**"], false],
  [["src/parser/**"], ["src/printer/**"], true],
  [["docs/**", "src/a.ts"], ["test/**", "src/b.ts"], true],
  [["**/*.md"], ["src/**"], false],
])("%j and %j side by side: %s", (one, other, expected) => {
  const tasks = listSideBySide(makeTask(...one), [makeTask(...other)]);
  expect(tasks.length).toBe(expected ? 2 : 1);
});
