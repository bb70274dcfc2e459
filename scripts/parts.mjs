/**
 * Which part of the bundle a module belongs to: the first of these roots that needs it, without what is imported on
 * demand. So a part needs only parts above it, and a command loads few files with little in them that it does not use.
 * All other modules are left to the bundler.
 */
import { join } from "node:path";

const ROOTS = {
  "lone-help": ["src/lone-help.ts"],
  process: ["src/process.ts"],
  "status-spec": ["src/cli/commands/status/status-spec.ts"],
  status: ["src/cli/commands/status/status-command.ts"],
  reading: ["src/run/inspect/status.ts"],
  "history-spec": ["src/cli/commands/history/history-spec.ts"],
  history: ["src/cli/commands/history/history-command.ts"],
  "judge-spec": ["src/cli/commands/judge/judge-spec.ts"],
  // Imported on demand, by a command that always needs it.
  judge: ["src/cli/commands/judge/judge-command.ts", "src/run/workspace/usable-git.ts"],
  commands: ["src/cli/commands.ts"],
  run: ["src/cli/commands/run/run-command.ts"],
  loop: ["src/cli/commands/loop/loop-command.ts"],
};

let parts = null;

/** `graph` is the bundler's view of all modules, whole by the time it asks; null leaves the choice to it. */
export function choosePart(id, graph, root) {
  parts ??= divide(graph, root);
  return parts.get(id) ?? null;
}

function divide(graph, root) {
  const found = new Map();
  for (const [name, paths] of Object.entries(ROOTS)) {
    const waiting = paths.map((path) => join(root, path));
    while (waiting.length > 0) {
      const id = waiting.pop();
      const known = graph.getModuleInfo(id);
      if (found.has(id) || known === null || known.isExternal) continue;
      found.set(id, name);
      waiting.push(...known.importedIds);
    }
  }
  return found;
}
