import { playTicks } from "./agent-tick.ts";
import { CODEX } from "./codex.ts";

playTicks(CODEX);
