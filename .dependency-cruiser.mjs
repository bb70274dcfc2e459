/** Who may import whom. ARCHITECTURE.md draws the same table; this file is what enforces it. */
const only = (folder, ...allowed) => ({
  name: `${folder}-boundary`,
  comment: `src/${folder} may import ${allowed.length === 0 ? "nothing of ours" : allowed.join(", ")}.`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^src/", pathNot: [`^src/${folder}/`, ...allowed.map((name) => `^src/${name}/`)] },
});

/**
 * The rooms of each layer, from the ground up. A room may import the rooms that stand before it, so there is no cycle between rooms.
 * Rooms on one line (an inner list) do not know each other.
 */
export const ROOMS = {
  contract: [
    "values",
    "schema",
    "agents",
    "evidence",
    "workflows",
    "config",
    "documents",
    "journal",
    "queue",
    "answers",
  ],
  core: [
    "words",
    "paths",
    "weakening",
    ["documents", "judge", "observation", "review", "test-report"],
    "checks",
    "setup",
    "tick",
    ["prompt", "series"],
    "workflow",
    ["goal", "tree"],
    ["campaign", "history"],
    "queue",
    "drill",
  ],
  io: [
    "debug",
    "files",
    "log",
    "machine",
    ["observe", "process"],
    ["children", "place", "queue", "sandbox"],
    "git",
    "index",
    ["content", "loopback", "workspace"],
    ["commit", "journal"],
    "drill",
  ],
  agents: ["session", ["claude", "codex"]],
  run: [
    ["engine", "evidence", "shipped"],
    ["keep", "nats", "sandbox", "workspace"],
    ["fleet", "notify", "preflight"],
    ["demo", "doctor", "drill", "init", "judge", "mcp", "session"],
    "checks",
    "steps",
    ["decisions", "tick"],
    ["land", "recover"],
    "series",
    ["goal", "tree"],
    ["campaign", "inspect"],
    "queue",
    "attempts",
  ],
  view: ["text", "cards", ["live", "series", "setup"], ["history", "queue", "status"]],
  web: ["page-model", "client", "page", "server"],
  cli: ["framework", "answers", "live", "commands"],
};

/** One rule for each room: of its own layer it sees itself and what stands before it. */
const roomRules = Object.entries(ROOMS).flatMap(([layer, levels]) =>
  levels.flatMap((level, index) =>
    [level].flat().map((room) => {
      const below = levels.slice(0, index).flat();
      return {
        name: `${layer}-${room}-room`,
        comment: `src/${layer}/${room} may import ${below.length === 0 ? "no other room" : below.join(", ")} of src/${layer}.`,
        severity: "error",
        from: { path: `^src/${layer}/${room}/` },
        to: { path: `^src/${layer}/`, pathNot: [room, ...below].map((name) => `^src/${layer}/${name}/`) },
      };
    }),
  ),
);

/** The files that open a workspace. Everything else asks `withWorkspace`, or one of the readers among them. */
const DOOR =
  "^src/run/workspace/(with-workspace|with-snapshot|open-workspace|open-writable|open-broken-workspace|read-workspace|locate-repository|config-file|take-locks|look-at-locks|journal-state)\\.ts$";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: { pathNot: "^src/cli/commands/" },
      to: { circular: true },
    },
    {
      name: "no-cycles-of-commands",
      comment: "A command's code may name the types of the options that its spec declares; the spec loads the code.",
      severity: "error",
      from: { path: "^src/cli/commands/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "no-orphan-imports", severity: "error", from: {}, to: { couldNotResolve: true } },
    ...roomRules,
    {
      name: "commands-apart",
      comment: "A command is a folder of its own; what two of them need lies in framework, answers or live.",
      severity: "error",
      // A job runs another command later, so that its options are checked by that command's own spec.
      from: { path: "^src/cli/commands/([^/]+)/", pathNot: "^src/cli/commands/submit/" },
      to: { path: "^src/cli/commands/", pathNot: "^src/cli/commands/$1/" },
    },
    only("contract"),
    only("core", "contract"),
    only("view", "contract", "core"),
    only("io", "contract"),
    only("agents", "contract", "io"),
    only("run", "contract", "core", "io", "agents"),
    only("web", "contract", "core", "io", "run", "view"),
    only("web/page-model", "contract", "core", "view"),
    only("web/client", "web/page-model", "view/text"),
    only("web/page", "web/client", "web/page-model", "view/text"),
    only("cli", "contract", "core", "run", "view", "web"),
    {
      name: "bin-to-cli-only",
      comment:
        "The executable translates argv to an exit status, loads the parts and prints; everything else is a command's business.",
      severity: "error",
      from: { path: "^src/(bin|lone-help|process)\\.ts$" },
      to: {
        path: "^src/",
        pathNot: "^src/(cli/|view/text/|lone-help\\.ts$|process\\.ts$|io/machine/(load-parts|standard-output)\\.ts$)",
      },
    },
    {
      name: "pure-means-pure",
      comment:
        "contract, core, view and the model of the page compute; only io, agents, run, web/server and cli may touch the world.",
      severity: "error",
      from: { path: "^src/(contract|core|view|web/page-model|web/client|web/page)/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "one-door-to-the-world",
      comment:
        "Files, processes and sockets are opened in src/io and nowhere else. The executable writes its version and its help itself.",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/io/", "^src/(bin|lone-help)\\.ts$"] },
      to: { path: "^(node:)?(fs|fs/promises|child_process|net|http|https|os|worker_threads)$" },
    },
    {
      name: "one-door-to-the-workspace",
      comment:
        "Repositories are found, configurations read, locks taken and journals opened by the files behind withWorkspace only.",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/(contract|io)/", DOOR] },
      to: {
        path: [
          "^src/io/git/repository-layout\\.ts$",
          "^src/io/journal/(journal|lock|repair-journal|survey-journal)\\.ts$",
          "^src/contract/config/parse-config\\.ts$",
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "locks-by-mode",
      comment: "A command names a mode of withWorkspace, which takes the locks and gives them back.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: "^src/run/workspace/(with-workspace|open-writable|open-broken-workspace)\\.ts$",
      },
      to: { path: "^src/run/workspace/(take-locks|open-writable|open-broken-workspace)\\.ts$" },
    },
    {
      name: "not-to-test",
      comment: "What ships never depends on what tests it.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|lab|scripts)/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
