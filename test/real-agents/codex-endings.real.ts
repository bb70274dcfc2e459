import { playTicks } from "./agent-tick.ts";
import { CODEX_ENDINGS } from "./codex-endings.ts";

playTicks(CODEX_ENDINGS);
