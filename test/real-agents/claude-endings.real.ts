import { useExecutable } from "../support/relais.ts";
import { playTicks } from "./agent-tick.ts";
import { CLAUDE_ENDINGS } from "./claude-endings.ts";

useExecutable();

playTicks(CLAUDE_ENDINGS);
