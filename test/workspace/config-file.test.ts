import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfigFile } from "../../src/workspace/config-file.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const TWICE = '{"isolation": "auto", "isolation": "in_place"}';
const MESSAGE = 'relais.config.json cannot be used: the key "isolation" occurs twice.';

test("a configuration that says two things is used by nobody", async () => {
  const root = scratchFolder();
  writeFileSync(join(root, "relais.config.json"), TWICE);
  const unusable = { kind: "unusable", cause: "config_not_json", message: MESSAGE, problems: [] };
  expect(await readConfigFile(root)).toEqual(unusable);
});

test("a configuration is handed over together with its text", async () => {
  const root = scratchFolder();
  writeFileSync(join(root, "relais.config.json"), '{ "isolation": "auto" }\n');
  expect(await readConfigFile(root)).toMatchObject({
    kind: "config",
    config: { isolation: "auto" },
    text: '{ "isolation": "auto" }\n',
  });
});
