import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withHome } from "../../src/system/with-home.ts";
import { locateStateRoot } from "../../src/journal/state-directory.ts";
import { filterOwnEnvironment } from "../../src/workspace/own-environment.ts";

const { homedir } = userInfo();

test.each([
  ["not set", {}],
  ["undefined", { HOME: undefined }],
  ["empty", { HOME: "" }],
  ["relative", { HOME: "src" }],
])("a HOME that is %s is the one that the system knows", (_name, given) => {
  expect(withHome({ ...given, PATH: "/bin" })).toEqual({ HOME: homedir, PATH: "/bin" });
  expect(filterOwnEnvironment(given)).toEqual({ HOME: homedir });
  expect(locateStateRoot(given)).toBe(join(homedir, ".local/state/relais"));
});

test("a HOME that is a place stays, and the environment is a copy", () => {
  const given = { HOME: "/somewhere" };
  expect(withHome(given)).toEqual(given);
  expect(withHome(given)).not.toBe(given);
  expect(locateStateRoot(given)).toBe("/somewhere/.local/state/relais");
});
