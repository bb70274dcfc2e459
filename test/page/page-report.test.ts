/** `relais report --html`: one file, with hostile text as text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildPage } from "../../scripts/page-text.mjs";
import { goodStep, inLoopWorld, STOP } from "../support/loop-world.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";

const HOSTILE = `</script><script>document.title='owned'</script><img src=x onerror=alert(1)>`;

test("a tick in one file: no foreign address, no markup of an agent, and a policy", async () => {
  const program = `printf '%s\\n' "${HOSTILE}" > src/main.ts\n${LEAVE_RESULT}`;
  await inWorld({ program }, async (world) => {
    await world.relais(["run", "--task", join(world.box, "task.json")]);
    const file = join(world.box, "report.html");
    const ran = await world.relais(["report", "--html", file, "--json"]);
    expect(ran.status).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ ticks: 1, left_out: 0 });
    const html = readFileSync(file, "utf8");
    expect(html).toContain("owned");
    expect(html).not.toContain("<script>document.title");
    expect(html).not.toContain("<img src=x");
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; [^"]*script-src 'sha256-/);
    expect(html.replaceAll("http://www.w3.org/", "")).not.toMatch(/(?:src|href)="https?:/);
  });
});

test("a loop in one file: its series, and everything about each of its ticks", async () => {
  await inLoopWorld({ plans: [goodStep(), goodStep(), STOP] }, async (world) => {
    await world.relais(["loop", "--json"]);
    const file = join(world.box, "report.html");
    const ran = await world.relais(["report", "--html", file, "--json"]);
    const { ticks }: { readonly ticks: number } = JSON.parse(ran.stdout);
    expect([ran.status, ticks >= 2]).toEqual([0, true]);
    const html = readFileSync(file, "utf8");
    const data =
      /<script type="application\/json" id="data">(?<data>.*?)<\/script>/s.exec(html)?.groups?.["data"] ?? "{}";
    const bundle: { readonly first: string; readonly documents: Readonly<Record<string, object>> } = JSON.parse(data);
    expect(bundle.first).toContain("/series/");
    const kinds = Object.keys(bundle.documents).map((name) => name.split("/")[0]);
    for (const kind of ["run", "transcript"]) expect(kinds.filter((one) => one === kind)).toHaveLength(ticks);
    expect(kinds.filter((one) => one === "diff").length).toBeGreaterThanOrEqual(2);
  });
});

test("a report without a file, or of nothing, is refused with the next step", async () => {
  await inWorld({}, async (world) => {
    const none = await world.relais(["report", "--html", "x.html"]);
    expect(none.status).toBe(10);
    expect(none.stderr).toContain("No tick has been recorded yet.");
    expect((await world.relais(["report"])).status).toBe(2);
  });
});

test("the page is small enough to be part of every report", async () => {
  expect(Buffer.byteLength(await buildPage())).toBeLessThanOrEqual(120 * 1024);
});
