import { useExecutable } from "../support/relais.ts";
import { playTicks } from "./agent-tick.ts";
import { CODEX_ENDINGS } from "./codex-endings.ts";

useExecutable();

playTicks(CODEX_ENDINGS);
