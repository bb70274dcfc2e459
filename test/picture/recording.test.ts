import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { filmOf } from "../../scripts/picture/film.ts";
import { filmSvg } from "../../scripts/picture/picture-svg.ts";
import { recordCommand } from "../../scripts/picture/pty-recording.ts";
import { screenFrames } from "../../scripts/picture/screen-frames.ts";
import { steadyNames } from "../../scripts/picture/steady-bytes.ts";
import { typedScene } from "../../scripts/picture/typed-scene.ts";
import { elementsOf } from "../support/well-formed.ts";

const SIZE = { columns: 40, rows: 6 };
const LABELS = { title: "a <title>", description: "what & how" };
const hasScript = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");
const piece = (text: string, gapMs = 100) => ({ gapMs, data: Buffer.from(text) });
const wordsOf = (rows: readonly (readonly { readonly text: string }[])[]) =>
  rows.map((row) => row.map(({ text }) => text).join("|"));

test.skipIf(!hasScript)("a command in a pseudo terminal is a picture with what the terminal showed", async () => {
  const { chunks, status } = await recordCommand({
    command: String.raw`test -t 1 && stty size && printf '\033[32m\342\234\223 ok\033[39m a <b> & "c"\n'; sleep 0.3; echo done; exit 3`,
    cwd: tmpdir(),
    environment: { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" },
    ...SIZE,
  });
  expect(status).toBe(3);
  const scene = await typedScene({ about: "A try.", lengthMs: 9000 }, [{ command: "try it", chunks, holdMs: 0 }], SIZE);
  const svg = filmSvg(filmOf([scene], SIZE), LABELS);
  const texts = elementsOf(svg).flatMap(({ name, text }) => (name === "text" ? [text] : []));
  expect(texts).toEqual(expect.arrayContaining(["# A try.", "$", "try it", "6 40", "✓ ok", 'a <b> & "c"', "done"]));
  expect(wordsOf(scene.frames.at(-1)?.rows ?? [])).toEqual([
    "# A try.",
    "$|try it",
    "6 40",
    '✓ ok|a <b> & "c"',
    "done",
  ]);
});

test("each row is shown while it was to be seen, and the last frame stands where nothing moves", async () => {
  const frames = await screenFrames(
    [piece("one\r\n", 0), piece("two 0:01"), piece("\rtwo 0:02"), piece("\r\u001b[Kthree")],
    SIZE,
  );
  expect(frames.map(({ atMs, rows }) => [atMs, ...wordsOf(rows)])).toEqual([
    [0, "one"],
    [100, "one", "two 0:01"],
    [200, "one", "three"],
  ]);
  const film = filmOf([{ frames, lengthMs: 4000 }], SIZE);
  expect(film.takes.map(({ row, fromMs, untilMs }) => [row, fromMs, untilMs])).toEqual([
    [0, 0, null],
    [1, 100, 200],
    [1, 200, null],
  ]);
  const svg = filmSvg(film, LABELS);
  expect(svg).toContain("@keyframes a100-200{0%{visibility:hidden}2.5%{visibility:visible}5%{visibility:hidden}}");
  expect(svg.match(/<use [^>]*>/g)?.map((use) => /class="(?<names>[^"]*)"/.exec(use)?.groups?.["names"] ?? "")).toEqual(
    ["", "a100-200 o", "a200-"],
  );
});

test("what scrolls out is not seen any more, and wide characters take two columns", async () => {
  const frames = await screenFrames([piece("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n漢字 x")], SIZE);
  const film = filmOf([{ frames, lengthMs: 1000 }], SIZE);
  expect(film.takes.map(({ stretches }) => stretches.map(({ text }) => text).join())).toEqual([
    "2",
    "3",
    "4",
    "5",
    "6",
    "漢字 x",
  ]);
  expect(film.takes.at(-1)?.stretches[0]).toMatchObject({ column: 0, width: 6 });
});

test("names and times are replaced, also where two pieces share one, and everything else stays", () => {
  const steady = steadyNames({ "/tmp/secret": "/home/you" });
  const texts = [
    "run 20261115T130824Z-90",
    "42f11b in /tmp/secret/x; é 843 ms, ",
    "\u001b[2m3.7 s; deadbeef0123 20261115T130824Z-9042f11b",
  ];
  const chunks = steady(texts.map((text, index) => ({ atMs: index, data: Buffer.from(text) })));
  const whole = Buffer.concat(chunks.map(({ data }) => data)).toString("utf8");
  const [run, commit] = [/20260131T120100Z-[0-9a-f]{8}/.exec(whole)?.[0], /[0-9a-f]{12}/.exec(whole)?.[0]];
  expect(whole).toBe(`run ${run} in /home/you/x; é 800 ms, \u001b[2m3.0 s; ${commit} ${run}`);
  expect(commit).not.toBe("deadbeef0123");
  expect(chunks.map(({ atMs }) => atMs)).toEqual([0, 1, 2]);
});
