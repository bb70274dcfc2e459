import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exchangeLastPrompt } from "../../src/journal/last-prompt.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

test("the last prompt of each name is kept", () => {
  const state = scratchFolder();
  expect(exchangeLastPrompt(state, "relay.builder", "one")).toBe(null);
  expect(exchangeLastPrompt(state, "goal.builder", "other")).toBe(null);
  expect(exchangeLastPrompt(state, "relay.builder", "two")).toBe("one");
  expect(exchangeLastPrompt(state, "relay.builder", "two")).toBe("two");
});

test("a folder that cannot be used, a link in its place or an unsafe name does not matter", () => {
  const [state, elsewhere] = [scratchFolder(), scratchFolder()];
  expect(exchangeLastPrompt(state, "../builder", "one")).toBe(null);
  mkdirSync(join(state, "prompts", "relay.builder", "in-the-way"), { recursive: true });
  expect(exchangeLastPrompt(state, "relay.builder", "one")).toBe(null);
  expect(exchangeLastPrompt(state, "relay.builder", "two")).toBe(null);
  rmSync(join(state, "prompts"), { recursive: true });
  symlinkSync(elsewhere, join(state, "prompts"));
  expect(exchangeLastPrompt(state, "relay.builder", "one")).toBe(null);
  expect(readdirSync(elsewhere)).toEqual([]);
});
