#!/usr/bin/env node
// A complete builder for relais. It understands one kind of instruction: replace "OLD" with "NEW" in FILE
import { readFileSync, writeFileSync } from "node:fs";

const task = JSON.parse(readFileSync(process.env.RELAIS_TASK_PATH, "utf8"));

const order = /^replace "(?<old>.+)" with "(?<fresh>.*)" in (?<file>\S+)$/.exec(task.builder.instructions);
if (order === null) {
  // Any status except 0 means that the work failed. relais reverts all changes.
  console.error("I only know how to replace text.");
  process.exit(3);
}

// A builder starts in the root of the repository and edits the files themselves.
const { old, fresh, file } = order.groups;
writeFileSync(
  file,
  readFileSync(file, "utf8").replaceAll(old, () => fresh),
);

// The result is for people to read. Relais looks at the files, whatever is said here.
const result = {
  summary: `Replaced "${old}" with "${fresh}".`,
  files_intended: [file],
  commands_ran: [],
  notes: [],
};
writeFileSync(process.env.RELAIS_RESULT_PATH, JSON.stringify(result));
