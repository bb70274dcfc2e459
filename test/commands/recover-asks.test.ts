import { expect, test } from "vitest";
import { main as runMain } from "../../src/main.ts";
import { forge } from "../support/forger.ts";
import { relais } from "../support/in-process.ts";
import { inWorld } from "../support/scenario.ts";
import { watch } from "../support/scenario-ending.ts";
import { sitAtTerminal } from "../support/terminal.ts";
import { differences } from "../support/walker.ts";

const KILL_RELAIS = {
  do: "run",
  argv: ["sh", "-c", 'kill -9 "$(ps -o ppid= -p "$PPID" | tr -d " ")"'],
  may_fail: true,
};
const CRASHED = {
  config: { isolation: "in_place" },
  ownProcess: true,
  steps: [{ do: "write", path: "src/main.ts", text: "half\n" }, KILL_RELAIS],
};

test("a forged secret is not written by a series or without a yes, and the tick can be abandoned", () =>
  inWorld(CRASHED, async (world) => {
    expect(await world.run()).toMatchObject({ status: null });
    await forge({ root: world.root, state: world.state() }, { files: { ".env": "SECRET=evil\n" } });
    const crashed = watch(world);
    const here = { cwd: world.root, env: world.environment };
    const loop = await relais(["loop"], here);
    expect(loop).toMatchObject({ status: 11, stderr: expect.stringContaining("- write .env\n") });
    expect(loop.stderr).toContain("relais recover --yes");
    const person = sitAtTerminal({ cwd: world.root, env: { ...world.environment, NO_COLOR: "1" } });
    const ended = runMain(["recover"], person.terminal);
    await person.sees(/- write \.env\nDo this\? \(y\/N\) /u);
    await person.press("enter");
    expect(await ended).toBe(11);
    expect(differences(crashed, watch(world))).toEqual([]);
    expect(await relais(["recover", "--abandon"], here)).toMatchObject({ status: 0 });
    expect(world.read(".env")).toBe("SECRET=hunter2\n");
    expect(world.read("src/main.ts")).toBe("half\n");
  }));
