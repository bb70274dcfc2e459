/** Which hosts a session and a check can reach, and what is said about the others. */
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBench, USERS } from "./bench.ts";

const GOOD = "echo 'export const answer = 42;' > src/main.ts";
const service = createServer((_, response) => void response.end("reached the service\n"));
let address = "";
const [user = { uid: 0 }] = USERS.toReversed();

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const bound = service.address();
  address = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
});
afterAll(() => void service.close());

test("an address on this machine that the configuration names is reached under its own port, and nothing else", async () => {
  const script = `${GOOD}\ncurl -sS ${address}/v1\ncurl -sS --noproxy '' ${address}/v2\ncurl -sS -m 2 http://127.0.0.1:1/`;
  const { printed } = await openBench({ uid: user.uid, script, config: { network_hosts: [address] } }).run();
  expect(printed.match(/reached the service/gu)).toHaveLength(2);
  expect(printed).toMatch(/Failed to connect to 127\.0\.0\.1 port 1 /u);
});

test.each([
  ["off", "no", "no"],
  ["full", "yes", "no"],
])("network: %s", async (network, direct, proxied) => {
  const script = `${GOOD}\ncurl -s -m 2 ${address} >/dev/null && echo direct: yes || echo direct: no\ntest -n "$HTTPS_PROXY" && echo proxied: yes || echo proxied: no`;
  const { printed, report } = await openBench({ uid: user.uid, script, config: { network } }).run();
  expect(printed).toContain(`direct: ${direct}`);
  expect(printed).toContain(`proxied: ${proxied}`);
  expect(report).toMatchObject({ code: "SUCCESS" });
});

test("a check has no network unless its template says so, and the hint names the key", async () => {
  const template = { id: "green", cmd: "curl", args: ["-sS", "-m", "2", address] };
  const run = async (over: object, baseline = "off") =>
    (
      await openBench({
        uid: user.uid,
        script: GOOD,
        config: { verification: { baseline, templates: [{ ...template, ...over }] } },
      }).run()
    ).report;
  const offline = await run({ args: ["-sS", "-m", "2", "http://registry.invalid"] });
  expect(offline).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST" });
  expect(JSON.stringify(offline["verification"])).toContain('set \\"network\\": true in its template green');
  const before = await run({ args: ["-sS", "-m", "2", "http://registry.invalid"] }, "always");
  expect(before).toMatchObject({ code: "BLOCKED_BASELINE_RED" });
  expect(JSON.stringify(before)).toContain('set \\"network\\": true in its template green');
  expect(await run({})).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST" });
  expect(await run({ network: true })).toMatchObject({ code: "SUCCESS" });
});
