import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chooseDriver, type DriverChoice } from "../../src/agents/choose-driver.ts";
import type { Driver, SessionReply, SessionRequest } from "../../src/agents/driver.ts";
import type { ScriptPlayer } from "../../src/agents/scripted.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { createDispatch, openDropFolder } from "../../src/system/drop-folder.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { scratchRepository, type ScratchRepository } from "./scratch-repository.ts";
import { executeTask } from "./tasks.ts";

/** The driver that a configuration leads to, in a real repository. */
export async function choose(
  { root }: { readonly root: string },
  document: object,
  player: ScriptPlayer = ["no-player"],
): Promise<DriverChoice> {
  const config = parseConfig(document);
  if (config.kind === "invalid") throw new Error(JSON.stringify(config.problems));
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error("the fixture is no repository");
  return chooseDriver({ config: config.value, repository, player });
}

/** As `choose`, for a configuration that is to be usable. */
export async function driverOf(...given: Parameters<typeof choose>): Promise<Driver> {
  const choice = await choose(...given);
  if (choice.kind !== "ready") throw new Error(choice.problem);
  return choice.driver;
}

/** A repository with one commit, and a place for transcripts beside it. */
export function agentRepository(): ScratchRepository & { readonly runDirectory: string } {
  const repository = scratchRepository({ "src/a.ts": "one\n", ".gitignore": "out/\n" });
  const runDirectory = join(repository.box, "run");
  mkdirSync(runDirectory);
  return { ...repository, runDirectory };
}

/** Runs one session as a tick does: drop folder, session, drop folder gone. */
export async function runSession(
  driver: Driver,
  { root, runDirectory }: { readonly root: string; readonly runDirectory: string },
  request: Partial<SessionRequest> = {},
): Promise<SessionReply> {
  const drop = await openDropFolder({ root, cwd: root, workspaceDir: "relais", dispatch: createDispatch() });
  try {
    return await driver.run({
      role: "builder",
      prompt: null,
      schema: null,
      taskText: JSON.stringify(executeTask),
      cwd: root,
      tree: root,
      enclosure: null,
      drop,
      runId: "20260101T000000Z-0123abcd",
      runDirectory,
      timeoutMs: 50_000,
      idleTimeoutMs: null,
      outputBytesMax: 10_000_000,
      environment: process.env,
      environmentNames: [],
      signal: new AbortController().signal,
      ...request,
    });
  } finally {
    await drop.remove();
  }
}

/** What lies in the root besides the fixture's own files. */
export function strangers({ root }: { readonly root: string }): readonly string[] {
  return readdirSync(root).filter((name) => ![".git", ".gitignore", "src"].includes(name));
}
