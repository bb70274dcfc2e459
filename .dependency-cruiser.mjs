/** Who may import whom. ARCHITECTURE.md draws the same table; this file is what enforces it. */
const only = (folder, ...allowed) => ({
  name: `${folder}-boundary`,
  comment: `src/${folder} may import ${allowed.length === 0 ? "nothing of ours" : allowed.join(", ")}.`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^src/", pathNot: [`^src/${folder}/`, ...allowed.map((name) => `^src/${name}/`)] },
});

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-orphan-imports", severity: "error", from: {}, to: { couldNotResolve: true } },
    only("contract"),
    only("core", "contract"),
    only("view", "contract", "core"),
    only("io", "contract"),
    only("agents", "contract", "io"),
    only("run", "contract", "core", "io", "agents"),
    only("cli", "contract", "core", "run", "view"),
    {
      name: "bin-to-cli-only",
      comment: "The executable translates argv to an exit status; everything else is a command's business.",
      severity: "error",
      from: { path: "^src/bin\\.ts$" },
      to: { path: "^src/", pathNot: ["^src/cli/", "^src/contract/invariant\\.ts$"] },
    },
    {
      name: "pure-means-pure",
      comment: "contract, core and view compute; only io, agents, run and cli may touch the world.",
      severity: "error",
      from: { path: "^src/(contract|core|view)/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "one-door-to-the-world",
      comment: "Files, processes and sockets are opened in src/io and nowhere else.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/io/" },
      to: { path: "^(node:)?(fs|fs/promises|child_process|net|http|https|os|worker_threads)$" },
    },
    {
      name: "not-to-test",
      comment: "What ships never depends on what tests it.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|scripts)/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
  },
};
