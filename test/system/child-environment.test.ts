import { expect, test } from "vitest";
import { makeChildEnvironment } from "../../src/system/child-environment.ts";

const inherit = {
  PATH: "/usr/bin",
  HOME: "/home/a",
  LC_TIME: "C",
  HTTPS_PROXY: "http://proxy",
  AWS_SECRET_ACCESS_KEY: "secret",
  NODE_OPTIONS: "--require ./evil.js",
  LD_PRELOAD: "/evil.so",
  GIT_DIR: "/elsewhere/.git",
  GIT_CONFIG_COUNT: "1",
  RELAIS_SESSION: "outer",
  RELAIS_DROP: "/outer/drop",
  MY_TOKEN: "token",
  UNSET: undefined,
};
const git = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "gc.auto",
  GIT_CONFIG_VALUE_0: "0",
  GIT_CONFIG_KEY_1: "maintenance.auto",
  GIT_CONFIG_VALUE_1: "false",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};
const wayfinding = {
  PATH: "/usr/bin",
  HOME: "/home/a",
  LC_TIME: "C",
  HTTPS_PROXY: "http://proxy",
  // Of an outer session only its marker, so that it finds what is started inside.
  RELAIS_SESSION: "outer",
};

test("only what a program needs to find its way is passed on", () => {
  expect(makeChildEnvironment(inherit, [], {})).toEqual({ ...wayfinding, ...git });
});

test("a configured name is passed on, but never git's or an outer session's", () => {
  const names = ["MY_TOKEN", "GIT_DIR", "RELAIS_DROP", "ABSENT", "UNSET"];
  expect(makeChildEnvironment(inherit, names, {})).toEqual({
    ...wayfinding,
    ...git,
    MY_TOKEN: "token",
  });
});

test("what the runner sets wins", () => {
  const set = { RELAIS_DROP: "/inner/drop", HOME: "/empty" };
  expect(makeChildEnvironment(inherit, ["RELAIS_DROP"], set)).toEqual({
    ...wayfinding,
    ...git,
    ...set,
  });
});

test("a search path keeps only the folders that mean the same everywhere", () => {
  const { PATH } = makeChildEnvironment({ PATH: ".:/usr/bin::bin:/bin:./node_modules/.bin" }, [], {});
  expect(PATH).toBe("/usr/bin:/bin");
});
