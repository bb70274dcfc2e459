import { useExecutable } from "../support/relais.ts";
import { playTicks } from "./agent-tick.ts";
import { CLAUDE } from "./claude.ts";
import { TOGETHER } from "./together.ts";

useExecutable();

playTicks([...CLAUDE, ...TOGETHER]);
