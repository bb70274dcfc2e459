/** The pictures that are in the repository: of this program, as it is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SCRIPTS } from "../../scripts/picture/scripts.ts";
import { COMMANDS } from "../../src/command-list.ts";
import { CODES } from "../../src/base/codes.ts";
import { elementsOf } from "../support/well-formed.ts";

const ROOT = join(import.meta.dirname, "../..");
const picture = (name: string) => readFileSync(join(ROOT, "docs/pictures", name), "utf8");
const textsOf = (svg: string) => elementsOf(svg).flatMap(({ name, text }) => (name === "text" ? [text] : []));
const BYTES_MAX = 200_000;

describe.for(["run.svg", "card.svg"])("%s", (name) => {
  test("is an image that needs nothing but itself, and runs nothing", () => {
    const svg = picture(name);
    expect(Buffer.byteLength(svg)).toBeLessThan(BYTES_MAX);
    expect(new Set(elementsOf(svg).map((element) => element.name))).not.toContain("script");
    expect(svg.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|url\(|@import| on[a-z]+=/);
    expect(svg).toContain("@media (prefers-reduced-motion:reduce){*{animation:none!important}}");
    const ids = new Set([...svg.matchAll(/ id="(?<id>[^"]+)"/g)].map((match) => match[1]));
    for (const [, used] of svg.matchAll(/href="#(?<id>[^"]+)"/g)) expect(ids).toContain(used);
  });

  test("names no code that does not exist", () => {
    const codes = textsOf(picture(name)).flatMap((text) => text.match(/\b(?:STOP|BLOCKED)_[A-Z_]+\b/g) ?? []);
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(CODES).toHaveProperty(code);
  });
});

test("what the script of the picture types is what the picture shows, and can be typed", () => {
  const rows = picture("run.svg")
    .split("\n")
    .filter((line) => line.startsWith('<g id="'))
    .map((line) => textsOf(line).join(" "));
  for (const { about, lines } of SCRIPTS) {
    expect(rows).toContain(`# ${about}`);
    for (const { command } of lines) {
      expect(rows).toContain(`$ ${command}`);
      const [program, name] = command.split(" ");
      expect(program).toBe("relais");
      expect(COMMANDS.map((spec) => spec.name)).toContain(name);
    }
  }
});

test("it shows a step kept, a stray edit and a false claim put back, and a tree that is complete", () => {
  const texts = textsOf(picture("run.svg"));
  for (const shown of [
    "SUCCESS",
    "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
    "STOP_VERIFY_FAILED_SLOW (exit_1)",
    "Complete.",
    "relais tree run",
  ])
    expect(texts).toContain(shown);
});

test("where nothing moves, the last frame is a whole card", () => {
  const svg = picture("run.svg");
  const still = [...svg.matchAll(/<use href="#(?<id>[^"]+)"[^>]*>/g)].filter(([use]) => !/ o"/.test(use));
  const rows = still.map(([, id]) => textsOf(new RegExp(`<g id="${id}">.*</g>`).exec(svg)?.[0] ?? "").join(" "));
  expect(rows.join("\n")).toMatch(/Complete\.[\s\S]*Next:[\s\S]*relais tree show/);
});
