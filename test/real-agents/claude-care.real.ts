import { useExecutable } from "../support/relais.ts";
import { playTicks } from "./agent-tick.ts";
import { CLAUDE_CARE } from "./claude-care.ts";

useExecutable();

playTicks(CLAUDE_CARE);
