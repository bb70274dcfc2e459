import { useExecutable } from "../support/relais.ts";
import { playTicks } from "./agent-tick.ts";
import { CODEX } from "./codex.ts";

useExecutable();

playTicks(CODEX);
