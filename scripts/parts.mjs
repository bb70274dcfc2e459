/**
 * Which part of the bundle a module belongs to, without what is imported on demand: the first of the roots that needs it.
 * So a part needs only parts above it, and a command loads few files with little in them that it does not use.
 * What several of the shared roots need is a part of its own, named after them. All other modules are left to the
 * bundler.
 */
import { join } from "node:path";

/** Some are imported on demand, by a command that always needs them. */
const ROOTS = [
  { load: ["src/io/machine/load-parts.ts"] },
  { "lone-help": ["src/lone-help.ts"] },
  {
    process: [
      "src/process.ts",
      // Almost every command needs these too.
      "src/cli/framework/command.ts",
      "src/cli/answers/print-answer.ts",
      "src/run/workspace/locate-repository.ts",
      "src/io/git/head-files.ts",
      "src/io/files/make-folders.ts",
      "src/core/judge/blast-radius.ts",
      "src/core/words/count-noun.ts",
      "src/core/words/decisive-words.ts",
      "src/core/words/cause-words.ts",
      "src/contract/config/config-name.ts",
      "src/contract/values/environment.ts",
      "src/contract/values/lifeline.ts",
      "src/io/files/byte-path.ts",
      "src/io/files/remove-quietly.ts",
    ],
  },
  { recorded: ["src/run/keep/is-as-before.ts"] },
  { status: ["src/cli/commands/status/status-spec.ts", "src/cli/commands/status/status-command.ts"] },
  {
    reading: ["src/run/inspect/status.ts"],
    history: ["src/cli/commands/history/history-spec.ts", "src/cli/commands/history/list-history.ts"],
    judge: [
      "src/cli/commands/judge/judge-spec.ts",
      "src/cli/commands/judge/judge-command.ts",
      "src/run/workspace/usable-git.ts",
    ],
  },
  { past: ["src/cli/commands/history/history-command.ts"] },
  { commands: ["src/cli/commands.ts"] },
  { run: ["src/cli/commands/run/run-command.ts"] },
  { loop: ["src/cli/commands/loop/loop-command.ts"] },
];

let parts = null;

/** `graph` is the bundler's view of all modules, whole by the time it asks; null leaves the choice to it. */
export function choosePart(id, graph, root) {
  parts ??= divide(graph, root);
  return parts.get(id) ?? null;
}

function divide(graph, root) {
  const found = new Map();
  for (const shared of ROOTS) {
    const names = new Map();
    for (const [name, paths] of Object.entries(shared)) {
      for (const id of listNeeded(
        graph,
        paths.map((path) => join(root, path)),
      )) {
        if (!found.has(id)) names.set(id, names.has(id) ? `${names.get(id)}-${name}` : name);
      }
    }
    for (const [id, name] of names) found.set(id, name);
  }
  return found;
}

function listNeeded(graph, ids) {
  const needed = new Set();
  const waiting = [...ids];
  while (waiting.length > 0) {
    const id = waiting.pop();
    const known = graph.getModuleInfo(id);
    if (needed.has(id) || known === null || known.isExternal) continue;
    needed.add(id);
    waiting.push(...known.importedIds);
  }
  return needed;
}
