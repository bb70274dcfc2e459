import { playTicks } from "./agent-tick.ts";
import { CLAUDE } from "./claude.ts";
import { TOGETHER } from "./together.ts";

playTicks([...CLAUDE, ...TOGETHER]);
