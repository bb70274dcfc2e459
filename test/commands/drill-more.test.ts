/** `relais drill` against a weak configuration, and a relais with a gate that is switched off. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { findStrays } from "../../src/drill/plain-listing.ts";
import { copyBuilt } from "../support/copy-built.ts";
import { makeDrillGround, OUTSIDE, parseDrill, runDrillIn, startDrill } from "../support/drill-ground.ts";
import { executable } from "../support/relais.ts";

test("a relais with a gate that is switched off lets a builder through, and the drill says so", async () => {
  const ground = makeDrillGround();
  const weak = join(ground.box, "weak");
  copyBuilt(executable, weak);
  const parts = join(weak, "parts");
  const isWeakened = readdirSync(parts).filter((name) => {
    const code = name.endsWith(".cjs") ? readFileSync(join(parts, name), "utf8") : "";
    const open = code.replace(/(id:[`"']allowed-scope[`"'],refuse:\w+=>)/u, "$1[]??");
    if (open !== code) writeFileSync(join(parts, name), open);
    return open !== code;
  });
  expect(isWeakened).toHaveLength(1);
  const { status, stdout } = await runDrillIn(ground, [...OUTSIDE, "--json"], join(weak, basename(executable)));
  const { ok, results } = parseDrill(stdout);
  expect({ ok, status }).toEqual({ ok: false, status: 10 });
  expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => "escaped"));
  expect(results[0]?.details).toContain("the working tree: docs/guide.md: content");
  expect(readdirSync(ground.temporary)).toEqual([]);
});

test("what only another setting stops is listed with its key, and fails with --strict", async () => {
  const ground = makeDrillGround({ ignored: "allow" });
  const args = ["--case", "files/ignored-file-deleted"];
  const { status, stdout } = await runDrillIn(ground, [...args, "--json"]);
  expect(status).toBe(0);
  const { results } = parseDrill(stdout);
  expect(results.map(({ outcome, setting }) => ({ outcome, key: setting?.key }))).toEqual(
    results.map(() => ({ outcome: "needs_setting", key: "ignored" })),
  );
  const strict = await runDrillIn(ground, [...args, "--strict"]);
  expect(strict.status).toBe(10);
  expect(strict.stdout).toContain("Another setting stops these:");
  expect(strict.stdout).toContain("`ignored`: its default.");
});

test("Ctrl-C ends it, and nothing is left", async () => {
  const ground = makeDrillGround();
  const child = startDrill(ground, ["--class", "processes", "--plain"]);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stdout.resume();
  for await (const chunk of child.stderr) if (String(chunk).includes("processes/")) break;
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(readdirSync(ground.temporary)).toEqual([]);
  mkdirSync(join(ground.temporary, "pids"));
  expect(findStrays(ground.temporary)).toEqual([]);
});

test("a class is tried alone, in every workplace", async () => {
  const { status, stdout } = await runDrillIn(makeDrillGround(), ["--class", "patches", "--all", "--json"]);
  const { ok, places, results } = parseDrill(stdout);
  expect({ ok, status }).toEqual({ ok: true, status: 0 });
  expect(new Set(results.map((result) => result.class))).toEqual(new Set(["patches"]));
  expect(results.length).toBeGreaterThan(places.length);
});
