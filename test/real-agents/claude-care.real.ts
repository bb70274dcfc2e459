import { playTicks } from "./agent-tick.ts";
import { CLAUDE_CARE } from "./claude-care.ts";

playTicks(CLAUDE_CARE);
