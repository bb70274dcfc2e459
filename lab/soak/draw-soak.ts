/** The curves of a soak as a picture: one panel for each measured value, one line for each workflow. */
import { METRICS, type SoakMetric } from "./flatness.ts";
import type { SoakPoint } from "./run-soak.ts";
import { type SoakWorkflow, WORKFLOWS } from "./soak-workflows.ts";

const TITLES: Readonly<Record<SoakMetric, string>> = {
  memoryMb: "memory, MB",
  descriptors: "open files",
  cpuMsPerTick: "CPU per tick, ms",
  msPerTick: "time per tick, ms",
  diskMb: "disk without records, MB",
  recordKbPerTick: "records per tick, KB",
};
const COLOURS: Readonly<Record<SoakWorkflow, string>> = {
  loop: "#2f81f7",
  goal: "#3fb950",
  tree: "#d29922",
  campaign: "#db61a2",
};
const PANEL = { width: 380, height: 170, gap: 36, left: 52, top: 64 } as const;
const WIDTH = PANEL.left + 2 * PANEL.width + PANEL.gap + PANEL.left;
const HEIGHT = PANEL.top + Math.ceil(METRICS.length / 2) * (PANEL.height + PANEL.gap) + 24;
const HEADROOM = 1.15;

export function drawSoak(points: readonly SoakPoint[]): string {
  const ticks = Math.max(1, ...points.map((point) => point.ticks));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="t d">`,
    '<title id="t">relais over many ticks</title>',
    `<desc id="d">Memory, open files, CPU and time per tick, disk and records over ${ticks} ticks of each workflow.</desc>`,
    "<style>text{font:13px system-ui,sans-serif;fill:#656d76}.h{font-weight:600}path{fill:none;stroke-width:1.8}.a{stroke:#8c959f;stroke-width:1}</style>",
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#ffffff"/>`,
    ...WORKFLOWS.map((workflow, at) => drawKey(workflow, at)),
    ...METRICS.map((metric, at) => drawPanel({ metric, points, ticks, at })),
    "</svg>",
    "",
  ].join("\n");
}

function drawKey(workflow: SoakWorkflow, at: number): string {
  const x = PANEL.left + at * 110;
  return `<path d="M${x} 26h22" stroke="${COLOURS[workflow]}"/><text x="${x + 28}" y="30">${workflow}</text>`;
}

interface Panel {
  readonly metric: SoakMetric;
  readonly points: readonly SoakPoint[];
  readonly ticks: number;
  readonly at: number;
}

function drawPanel({ metric, points, ticks, at }: Panel): string {
  const left = PANEL.left + (at % 2) * (PANEL.width + PANEL.gap + 16);
  const top = PANEL.top + Math.floor(at / 2) * (PANEL.height + PANEL.gap);
  const highest = Math.max(1, ...points.map((point) => point[metric])) * HEADROOM;
  const place = (point: SoakPoint): string => {
    const x = left + (point.ticks / ticks) * PANEL.width;
    const y = top + PANEL.height * (1 - point[metric] / highest);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const bottom = top + PANEL.height;
  return [
    `<text class="h" x="${left}" y="${top - 6}">${TITLES[metric]}</text>`,
    `<path class="a" d="M${left} ${top}V${bottom}h${PANEL.width}"/>`,
    `<text x="${left - 6}" y="${top + 12}" text-anchor="end">${Math.round(highest)}</text>`,
    `<text x="${left - 6}" y="${bottom}" text-anchor="end">0</text>`,
    `<text x="${left + PANEL.width}" y="${bottom + 16}" text-anchor="end">${ticks} ticks</text>`,
    ...WORKFLOWS.map((workflow) => {
      const own = points.filter((point) => point.workflow === workflow);
      return own.length === 0 ? "" : `<path d="M${own.map(place).join("L")}" stroke="${COLOURS[workflow]}"/>`;
    }),
  ].join("\n");
}
