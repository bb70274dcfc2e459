/** Runs for each test file, also where files share their modules. */
import { afterAll } from "vitest";
import { removeScratchFolders } from "./scratch-repository.ts";

// Not after each test: of tests that run at the same time, vitest does not know which one asked for a folder.
afterAll(removeScratchFolders);
