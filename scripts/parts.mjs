/**
 * Which part of the bundle a module belongs to, without what is imported on demand: the first of the roots that needs it.
 * So a part needs only parts above it, and a command loads few files with little in them that it does not use.
 * What several of the shared roots need is a part of its own, named after them. All other modules are left to the
 * bundler.
 */
import { join } from "node:path";

/** Some are imported on demand, by a command that always needs them. */
const ROOTS = [
  { load: ["src/system/load-parts.ts"] },
  { "lone-help": ["src/lone-help.ts"] },
  {
    process: [
      "src/start.ts",
      // Almost every command needs these too.
      "src/terminal/command.ts",
      "src/terminal/print-answer.ts",
      "src/workspace/locate-repository.ts",
      "src/git/head-files.ts",
      "src/system/folders.ts",
      "src/judge/pure/blast-radius.ts",
      "src/base/words.ts",
      "src/tick/pure/decisive-words.ts",
      "src/tick/pure/cause-words.ts",
      "src/config/config-name.ts",
      "src/base/environment.ts",
      "src/system/byte-path.ts",
      "src/system/remove-quietly.ts",
    ],
  },
  { recorded: ["src/keep/is-as-before.ts"] },
  { status: ["src/commands/status-spec.ts", "src/commands/status-command.ts"] },
  {
    reading: ["src/history/read-status.ts"],
    history: ["src/commands/history-spec.ts", "src/commands/list-history.ts"],
    judge: ["src/commands/judge-spec.ts", "src/commands/judge-command.ts", "src/workspace/usable-git.ts"],
  },
  { past: ["src/commands/history-command.ts"] },
  { commands: ["src/command-list.ts"] },
  { run: ["src/commands/run-command.ts"] },
  { loop: ["src/commands/loop-command.ts"] },
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
