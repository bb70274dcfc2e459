/** `relais report --html`: one file, with hostile text as text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildPage } from "../../scripts/page-text.mjs";
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
