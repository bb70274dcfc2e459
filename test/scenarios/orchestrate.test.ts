import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { ORCHESTRATE } from "./orchestrate.ts";

useExecutable();

playAll(ORCHESTRATE);
