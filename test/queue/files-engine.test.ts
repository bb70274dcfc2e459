import { join } from "node:path";
import { scratchFolder } from "../support/scratch-repository.ts";
import { describeEngine } from "./describe-engine.ts";

describeEngine("files", async () => join(scratchFolder(), "queue"));
