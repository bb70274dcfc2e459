import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withHome } from "../../src/io/machine/with-home.ts";
import { stateRoot } from "../../src/io/workspace/state-directory.ts";
import { ownEnvironment } from "../../src/run/workspace/own-environment.ts";

const { homedir } = userInfo();

test.each([
  ["not set", {}],
  ["undefined", { HOME: undefined }],
  ["empty", { HOME: "" }],
  ["relative", { HOME: "src" }],
])("a HOME that is %s is the one that the system knows", (_name, given) => {
  expect(withHome({ ...given, PATH: "/bin" })).toEqual({ HOME: homedir, PATH: "/bin" });
  expect(ownEnvironment(given)).toEqual({ HOME: homedir });
  expect(stateRoot(given)).toBe(join(homedir, ".local/state/relais"));
});

test("a HOME that is a place stays, and the environment is a copy", () => {
  const given = { HOME: "/somewhere" };
  expect(withHome(given)).toEqual(given);
  expect(withHome(given)).not.toBe(given);
  expect(stateRoot(given)).toBe("/somewhere/.local/state/relais");
});
