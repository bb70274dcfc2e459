/** The workflow of the hosted CI: it runs what the README tells people to run, where the package says that it works. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const Workflow = v.object({
  on: v.object({ push: v.object({ branches: v.array(v.string()) }), pull_request: v.null() }),
  permissions: v.strictObject({ contents: v.literal("read") }),
  jobs: v.strictObject({
    test: v.object({
      "runs-on": v.literal("${{ matrix.os }}"),
      "timeout-minutes": v.number(),
      strategy: v.object({
        "fail-fast": v.literal(false),
        matrix: v.strictObject({ os: v.array(v.string()), node: v.array(v.number()) }),
      }),
      steps: v.array(
        v.union([
          v.strictObject({ uses: v.string(), with: v.record(v.string(), v.unknown()) }),
          v.strictObject({ run: v.string() }),
        ]),
      ),
    }),
  }),
});

const { jobs } = v.parse(Workflow, parse(read(".github/workflows/ci.yml")));
const { strategy, steps } = jobs.test;

test("Linux and macOS, and every line of Node from the oldest that is supported", () => {
  expect(strategy.matrix.os.map((name) => name.replace(/-.*/, ""))).toEqual(["ubuntu", "macos"]);
  expect(strategy.matrix.node).toEqual([20, 22, 24]);
  const { engines }: { engines: { node: string } } = JSON.parse(read("package.json"));
  expect(engines.node).toMatch(new RegExp(`^>=${strategy.matrix.node[0]}\\.`));
});

test("the test command of the README, and nothing else", () => {
  const commands = steps.flatMap((step) => ("run" in step ? [step.run] : []));
  expect(commands).toEqual(["npm ci && npm test"]);
  for (const page of ["README.md", "CONTRIBUTING.md"])
    expect(read(page)).toMatch(new RegExp(`must pass \`${commands[0]}\`|\`${commands[0]}\` is everything`));
});

test("every action is pinned to a commit", () => {
  const actions = steps.flatMap((step) => ("uses" in step ? [step.uses] : []));
  expect(actions.map((name) => name.replace(/@.*/, ""))).toEqual(["actions/checkout", "actions/setup-node"]);
  expect(actions.filter((name) => !/@[0-9a-f]{40}$/.test(name))).toEqual([]);
});

test("the Node of the matrix is the one that is installed", () => {
  const [, setup] = steps;
  expect(setup).toMatchObject({ with: { "node-version": "${{ matrix.node }}" } });
});
