/** What can be counted of the house: its rooms, the edges between them, its files, and the words of its pages. */
import { dirname } from "node:path";
import { type HouseGraph, type SourceImport, listParameterBags, readGraph } from "./house-graph.ts";

/** The text of each file, by its path from the root of the repository. */
export type Tree = ReadonlyMap<string, string>;

export interface Measures {
  readonly folders: number;
  readonly files: number;
  readonly lines: number;
  readonly smallFiles: number;
  readonly rooms: number;
  readonly roomEdges: number;
  /** Each with the rooms that reach each other. */
  readonly roomCycles: readonly string[];
  readonly levels: number;
  readonly longestChain: number;
  readonly longestLoadedChain: number;
  readonly purityViolations: readonly string[];
  readonly parameterBags: number;
  readonly words: number;
  readonly pages: number;
  readonly architectureWords: number;
  readonly contributingWords: number;
}

const SMALL_FILE_LINES = 20;

export function measureTree(tree: Tree): Measures {
  const sources = new Map([...tree].filter(([path]) => path.startsWith("src/")));
  const graph = readGraph(sources);
  const rooms = findRooms(graph);
  const pages = countPages(tree);
  return {
    folders: new Set([...graph.keys()].map((path) => dirname(path))).size,
    files: graph.size,
    lines: sum([...graph.values()].map(({ lines }) => lines)),
    smallFiles: [...graph].filter(([path, { lines }]) => /\.tsx?$/u.test(path) && lines < SMALL_FILE_LINES).length,
    rooms: rooms.size,
    roomEdges: sum([...rooms.values()].map((below) => below.size)),
    roomCycles: findCycles(rooms).map((members) => members.toSorted().join(" ")),
    levels: findLongestPath(rooms),
    longestChain: findLongestPath(listNeighbours(graph, () => true)),
    longestLoadedChain: findLongestPath(listNeighbours(graph, (one) => !one.isTypeOnly && !one.isOnDemand)),
    purityViolations: listPurityViolations(graph),
    parameterBags: listParameterBags(sources).length,
    words: sum([...pages.values()]),
    pages: pages.size,
    architectureWords: countWritten(tree.get("ARCHITECTURE.md") ?? ""),
    contributingWords: countWritten(tree.get("CONTRIBUTING.md") ?? ""),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const nameRoom = (path: string): string => dirname(path).replace(/^src\/?/u, "");

/** Rooms that compute and touch nothing. The last three are from before there were rooms by subject. */
const PURE = /(^|\/)pure$|^(base|config|records|cards|page\/browser)$|^(contract|core|view)(\/|$)/u;

const isPure = (room: string): boolean => PURE.test(room);

type Neighbours = ReadonlyMap<string, ReadonlySet<string>>;

/** Each room with those that it imports, as types too. The files directly in `src` are the executable and no room. */
function findRooms(graph: HouseGraph): Neighbours {
  const rooms = new Map<string, Set<string>>();
  for (const [path, { imports }] of graph) {
    const room = nameRoom(path);
    const below = rooms.get(room) ?? new Set();
    for (const { to } of imports) if (nameRoom(to) !== room) below.add(nameRoom(to));
    rooms.set(room, below);
  }
  return rooms;
}

function listNeighbours(graph: HouseGraph, isWanted: (one: SourceImport) => boolean): Neighbours {
  return new Map(
    [...graph].map(([path, { imports }]) => [path, new Set(imports.filter(isWanted).map(({ to }) => to))]),
  );
}

function listPurityViolations(graph: HouseGraph): readonly string[] {
  return [...graph].flatMap(([path, { imports, builtins }]) => {
    if (!isPure(nameRoom(path))) return [];
    const acting = imports.flatMap(({ to }) => (isPure(nameRoom(to)) ? [] : [`${path} -> ${to}`]));
    return [...acting, ...builtins.map((name) => `${path} -> ${name}`)];
  });
}

/** Groups of nodes that reach each other: strongly connected components, after Tarjan. */
function findComponents(nodes: Neighbours): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const own = order.size;
    let lowest = own;
    order.set(node, own);
    open.push(node);
    for (const next of nodes.get(node) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (open.includes(next)) lowest = Math.min(lowest, low.get(next) ?? order.get(next) ?? lowest);
      low.set(node, lowest);
    }
    if (lowest === own) found.push(open.splice(open.indexOf(node)));
    return lowest;
  };
  for (const node of nodes.keys()) if (!order.has(node)) visit(node);
  return found;
}

const findCycles = (nodes: Neighbours): readonly (readonly string[])[] =>
  findComponents(nodes).filter((members) => members.length > 1);

/** The number of nodes on the longest path; those of a cycle count as a step each. */
function findLongestPath(nodes: Neighbours): number {
  const components = findComponents(nodes);
  const component = new Map(components.flatMap((members, at) => members.map((node) => [node, at] as const)));
  // Components come with those that they reach before them.
  const lengths: number[] = [];
  for (const [at, members] of components.entries()) {
    const beyond = members.flatMap((node) =>
      [...(nodes.get(node) ?? [])].map((next) => component.get(next) ?? at).filter((other) => other !== at),
    );
    lengths.push(members.length + Math.max(0, ...beyond.map((other) => lengths[other] ?? 0)));
  }
  return Math.max(0, ...lengths);
}

/** Pages for readers that a person wrote, at least in part. What is generated as a whole is marked in `.gitattributes`. */
function isPage(path: string, attributes: string): boolean {
  const isGenerated = attributes.split("\n").includes(`${path} linguist-generated`);
  return /^(docs\/.*|lab\/README|[A-Z]+)\.md$/u.test(path) && !isGenerated;
}

/** The written words of each page. */
export function countPages(tree: Tree): ReadonlyMap<string, number> {
  const pages = [...tree].filter(([path]) => isPage(path, tree.get(".gitattributes") ?? ""));
  return new Map(pages.map(([path, text]) => [path, countWritten(text)]));
}

/** Words as `wc -w` counts them, without the tables that commands write between two marks. */
export function countWritten(text: string): number {
  const written = text.replaceAll(/<!-- (\w+)\b[^]*?<!-- \/\1 -->/gu, "");
  return written.split(/\s+/u).filter((word) => word !== "").length;
}
