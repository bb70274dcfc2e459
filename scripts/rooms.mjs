/**
 * The rooms of `src`, from the ground up, each with what it holds. A room may import the rooms of the levels before its own,
 * and rooms of one level do not know each other. The import rules, the test projects and the table in ARCHITECTURE.md follow
 * this list.
 */
const ROOMS = [
  {
    base: "values, errors, schema words, globs, strict JSON, source text, text on a terminal",
  },
  {
    config: "relais.config.json, one section a file",
    system: "files, folders, clock, environment, terminal, a server for this user alone",
  },
  {
    records: "every document on disk, every event, every answer",
  },
  {
    "checks/pure": "which checks run, what test runners said, reviewers and their votes, which project this is",
    "drill/pure": "what a hostile builder got through",
    "evidence/pure": "observations compared, plans of a restoration",
    "judge/pure": "the gates, and the rules about weakened checks",
    process: "supervised programs, their families, other processes of relais",
    "queue/pure": "the fold of a queue, and the Engine port",
  },
  {
    git: "the one way to run git; packs, refs, filters, the private repository",
    sandbox: "mounts, bubblewrap, the proxy",
    "tick/pure": "the fold of a tick, its budgets, its prompts, its report",
  },
  {
    journal: "the journal and the log of a queue: append, lock, state directory, repair",
    "journal/pure": "folds of the whole journal: state, replay, prune",
    store: "contents, observations, git's index, commits, restoration",
    "workflows/pure": "the Workflow port, the series, relay, tree, goal and campaign",
  },
  {
    agents: "a driver for each agent, and what its program says",
    cards: "what a person reads in a terminal, the live frame too",
    evidence: "what was observed, and its restoration",
    queue: "the Engine on files",
  },
  {
    fleet: "the Engine on NATS, its server and its members",
    keep: "commits, salvage, undo",
    "page/pure": "documents of the page",
    place: "in place, overlay, clone",
    workspace: "the door to a repository: configuration, locks, journal, published files",
  },
  {
    checks: "running the checks: before the build, with old tests, held out",
    drill: "hostile builders on a copy of a repository",
    judge: "the judge without a tick",
    "page/browser": "what runs in the browser",
  },
  {
    tick: "the steps of a tick",
  },
  {
    decide: "accept, undo, answer, salvage, recover",
    history: "status, log, diff, watch",
    landing: "work from elsewhere on top of HEAD",
    setup: "init, doctor, demo",
  },
  {
    jobs: "submit, worker, a job in its place, attempts",
    workflows: "many ticks: series, tree, goal, campaign",
  },
  {
    page: "the server of the page",
    terminal: "options, keys, answers, the live view",
  },
  {
    commands: "one command a pair of files: NAME-spec and NAME-command",
  },
];

export const LEVELS = ROOMS.map((level) => Object.keys(level));

/** Rooms that compute and touch nothing, besides each `ROOM/pure`. */
const PURE_ROOMS = ["base", "config", "records", "cards", "page/browser"];

/** @param {string} room */
export const isPure = (room) => room.endsWith("/pure") || PURE_ROOMS.includes(room);

/** The doors to the world: only these rooms open files, processes and sockets. */
export const DOORS = ["system", "process", "git", "sandbox", "store", "journal", "drill"];

const mark = (room) => (isPure(room) ? " (pure)" : DOORS.includes(room) ? " (door)" : "");

/** The table of ARCHITECTURE.md. */
export function describeRooms() {
  const rows = ROOMS.flatMap((level, index) =>
    Object.entries(level).map(([room, holds]) => [String(index + 1), `\`${room}\`${mark(room)}`, holds]),
  );
  return drawTable([["level", "room", "what it holds"], ...rows]);
}

/** @param {string[][]} rows */
function drawTable([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const draw = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [draw(head), draw(widths.map((width) => "-".repeat(width))), ...rows.map(draw)].join("\n");
}
