/**
 * Records docs/pictures: `npm run picture`.
 *
 * The executable works on a sample repository, in a real pseudo terminal. What it printed is played to a terminal
 * emulator and drawn from there, so the picture shows what a person would have seen.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openTheatre, type Stage, type Theatre } from "../src/run/demo-stage.ts";
import { filmOf, type Scene } from "./picture/film.ts";
import { filmSvg } from "./picture/picture-svg.ts";
import { type Chunk, recordCommand } from "./picture/pty-recording.ts";
import { shopSample } from "./picture/shop.ts";
import { steadyNames } from "./picture/steady-bytes.ts";
import { typedScene } from "./picture/typed-scene.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const OUT = join(ROOT, "docs/pictures");
const SIZE = { columns: 88, rows: 27 };
const STATUS_OF_A_STOP = 10;

interface Line {
  readonly command: string;
  /** The status that it must end with, or nothing is written. */
  readonly status: number;
  readonly holdMs: number;
}

interface Script {
  readonly about: string;
  readonly lines: readonly Line[];
}

const run = (task: string, status: number): Line => ({
  command: `relais run --task tasks/${task}.json`,
  status,
  holdMs: 4200,
});

const SCRIPTS: readonly Script[] = [
  {
    about: "An honest step is checked, and kept.",
    lines: [run("count", 0), { command: "relais accept", status: 0, holdMs: 2600 }],
  },
  { about: "An edit where none belongs is put back, all of it.", lines: [run("round", STATUS_OF_A_STOP)] },
  {
    about: '"Done. All tests pass." is a claim, and the check knows better.',
    lines: [run("discount", STATUS_OF_A_STOP)],
  },
  { about: "Where things stand.", lines: [{ command: "relais", status: 0, holdMs: 5000 }] },
];

const LABELS = {
  title: "relais in a terminal",
  description:
    "A recording of the relais executable on a sample repository, whose builder plays a script. Waiting times are " +
    "compressed; names of ticks and commits, the folder and fractions of seconds are replaced, so that it can be " +
    "recorded again; what is typed, and the line above it, were added.",
};

async function main(): Promise<void> {
  const executable = join(ROOT, "dist/relais.cjs");
  const { signal } = new AbortController();
  const theatre = await openTheatre({
    into: null,
    environment: process.env,
    relais: [process.execPath, executable],
    signal,
  });
  if (theatre.kind === "refused") throw new Error(theatre.reason);
  try {
    const stage = await theatre.setStage(shopSample(process.execPath));
    const scenes = await play(theatre, stage);
    const [, , claim] = scenes;
    writeFileSync(join(OUT, "run.svg"), filmSvg(filmOf(scenes, SIZE), LABELS));
    if (claim !== undefined)
      writeFileSync(join(OUT, "card.svg"), filmSvg(filmOf([lastFrame(claim)], SIZE), LABELS));
  } finally {
    rmSync(theatre.folder, { recursive: true, force: true });
  }
}

async function play({ folder, wrapper }: Theatre, stage: Stage): Promise<readonly Scene[]> {
  const steady = steadyNames({ [folder]: "/home/you" });
  const environment = {
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    HOME: join(folder, "home"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
  };
  const scenes: Scene[] = [];
  for (const { about, lines } of SCRIPTS) {
    const played: { command: string; chunks: readonly Chunk[]; holdMs: number }[] = [];
    for (const { command, status, holdMs } of lines) {
      const recorded = await recordCommand({
        command: command.replace("relais", wrapper),
        cwd: stage.root,
        environment,
        ...SIZE,
      });
      if (recorded.status !== status)
        throw new Error(`${command} ended with status ${recorded.status}, not ${status}`);
      played.push({ command, holdMs, chunks: steady(recorded.chunks) });
    }
    scenes.push(await typedScene(about, played, SIZE));
  }
  return scenes;
}

function lastFrame({ frames, holdMs }: Scene): Scene {
  return { holdMs, frames: frames.slice(-1).map((frame) => ({ ...frame, atMs: 0 })) };
}

await main();
