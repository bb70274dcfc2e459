import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { ORCHESTRATE_TROUBLE } from "./orchestrate-trouble.ts";

useExecutable();

playAll(ORCHESTRATE_TROUBLE);
