import { playTicks } from "./agent-tick.ts";
import { CLAUDE_ENDINGS } from "./claude-endings.ts";

playTicks(CLAUDE_ENDINGS);
