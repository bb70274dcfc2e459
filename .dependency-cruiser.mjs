/** Who may import whom: each room of scripts/rooms.mjs the rooms below it, and only doors the world. */
import { DOORS, LEVELS, isPure } from "./scripts/rooms.mjs";

const inRoom = (room) => `^src/${room}/[^/]+$`;
const PURE = LEVELS.flat().filter(isPure).map(inRoom);

const roomRules = LEVELS.flatMap((level, index) =>
  level.map((room) => {
    const below = LEVELS.slice(0, index).flat();
    return {
      name: `${room}-room`,
      comment: `src/${room} may import ${below.length === 0 ? "no other room" : below.join(", ")}.`,
      severity: "error",
      from: { path: inRoom(room) },
      to: { path: "^src/", pathNot: [room, ...below].map(inRoom) },
    };
  }),
);

/** The files that open a workspace. Everything else asks `withWorkspace`, or one of the readers among them. */
const DOOR =
  "^src/workspace/(with-workspace|with-snapshot|open-workspace|open-writable|read-workspace|locate-repository|config-file|take-locks|read-locks|journal-state)\\.ts$";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: { pathNot: "^src/commands/" },
      to: { circular: true },
    },
    {
      name: "no-cycles-of-commands",
      comment: "A command's code may name the types of the options that its spec declares; the spec loads the code.",
      severity: "error",
      from: { path: "^src/commands/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "no-orphan-imports", severity: "error", from: {}, to: { couldNotResolve: true } },
    ...roomRules,
    {
      name: "every-file-in-a-room",
      comment: "A new folder of src belongs into the table of scripts/rooms.mjs.",
      severity: "error",
      from: { path: "^src/.+/", pathNot: LEVELS.flat().map(inRoom) },
      to: {},
    },
    {
      name: "executable-to-terminal-only",
      comment:
        "The executable translates argv to an exit status, loads the parts and prints; everything else is a command's business.",
      severity: "error",
      from: { path: "^src/(bin|lone-help|start)\\.ts$" },
      to: {
        path: "^src/[^/]+/",
        pathNot: "^src/(terminal|commands|base)/|^src/system/(load-parts|standard-streams)\\.ts$",
      },
    },
    {
      name: "pure-means-pure",
      comment: "A pure room computes; it uses no module of Node.",
      severity: "error",
      from: { path: PURE },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "pure-imports-pure",
      comment: "What a pure room uses is pure as well.",
      severity: "error",
      from: { path: PURE },
      to: { path: "^src/", pathNot: PURE },
    },
    {
      name: "one-door-to-the-world",
      comment:
        "Files, processes and sockets are opened in the doors. The executable writes its version and its help itself.",
      severity: "error",
      from: { path: "^src/", pathNot: [...DOORS.map(inRoom), "^src/(bin|lone-help)\\.ts$"] },
      to: { path: "^(node:)?(fs|fs/promises|child_process|net|http|https|os|worker_threads)$" },
    },
    {
      name: "one-door-to-the-workspace",
      comment:
        "Repositories are found, configurations read, locks taken and journals opened by the files behind withWorkspace only.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [...DOORS.filter((room) => room !== "drill").map(inRoom), "^src/(config|records)/", DOOR],
      },
      to: {
        path: [
          "^src/git/repository-layout\\.ts$",
          "^src/journal/(journal|acquire-lock|repair-journal|survey-journal)\\.ts$",
          "^src/config/parse-config\\.ts$",
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
        pathNot: "^src/workspace/(with-workspace|open-writable)\\.ts$",
      },
      to: { path: "^src/workspace/(take-locks|open-writable)\\.ts$" },
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
