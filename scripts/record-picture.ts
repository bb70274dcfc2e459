/**
 * Records docs/pictures: `npm run picture`.
 *
 * The executable works on a sample repository, in a real pseudo terminal. What it printed is played to a terminal
 * emulator and drawn from there, so the picture shows what a person would have seen.
 */
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openTheatre, type DemoStage, type Theatre } from "../src/setup/demo-stage.ts";
import { filmOf, type Scene } from "./picture/film.ts";
import { filmSvg } from "./picture/picture-svg.ts";
import { type Chunk, recordCommand } from "./picture/pty-recording.ts";
import { type Script, SCRIPTS } from "./picture/scripts.ts";
import { shopSample } from "./picture/shop.ts";
import { steadyNames } from "./picture/steady-bytes.ts";
import { thermometerSample } from "./picture/thermometer.ts";
import { typedScene } from "./picture/typed-scene.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const OUT = join(ROOT, "docs/pictures");
const SIZE = { columns: 88, rows: 28 };
const POSTER_MS = 2500;
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
    const scenes = await play(theatre, {
      shop: await shop(theatre),
      thermometer: await thermometer(theatre),
    });
    const [honest, , claim] = scenes;
    // The first frame alone shows a whole step.
    const poster = honest === undefined ? [] : [{ ...lastFrame(honest), lengthMs: POSTER_MS }];
    writeFileSync(join(OUT, "run.svg"), filmSvg(filmOf([...poster, ...scenes], SIZE), LABELS));
    if (claim !== undefined) writeFileSync(join(OUT, "card.svg"), filmSvg(filmOf([lastFrame(claim)], SIZE), LABELS));
  } finally {
    rmSync(theatre.folder, { recursive: true, force: true });
  }
}

/** The agent lies beside the repository, in the folder that is first on the PATH. */
async function shop({ folder, setStage }: Theatre): Promise<DemoStage> {
  const stage = await setStage(shopSample(process.execPath));
  chmodSync(join(folder, "claude"), 0o755);
  return stage;
}

/** An iteration begins on a clean tree, so what `tree init` writes is committed first. */
async function thermometer({ folder, setStage }: Theatre): Promise<DemoStage> {
  const stage = await setStage(thermometerSample(folder, process.execPath));
  await stage.relais("tree", "init");
  await stage.git("add", "--all");
  await stage.git("commit", "--quiet", "--message", "chore: a goal to work on");
  return stage;
}

async function play(
  { folder, wrapper }: Theatre,
  stages: Readonly<Record<Script["sample"], DemoStage>>,
): Promise<readonly Scene[]> {
  const steady = steadyNames({ [folder]: "/home/you" });
  const environment = {
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    HOME: join(folder, "home"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
  };
  const scenes: Scene[] = [];
  for (const script of SCRIPTS) {
    const played: { command: string; chunks: readonly Chunk[]; holdMs: number }[] = [];
    for (const { command, status, holdMs } of script.lines) {
      const recorded = await recordCommand({
        command: command.replace("relais", wrapper),
        cwd: stages[script.sample].root,
        environment,
        ...SIZE,
      });
      if (recorded.status !== status) throw new Error(`${command} ended with status ${recorded.status}, not ${status}`);
      played.push({ command, holdMs, chunks: steady(recorded.chunks) });
    }
    scenes.push(await typedScene(script, played, SIZE));
  }
  return scenes;
}

function lastFrame({ frames, lengthMs }: Scene): Scene {
  return { lengthMs, frames: frames.slice(-1).map((frame) => ({ ...frame, atMs: 0 })) };
}

await main();
