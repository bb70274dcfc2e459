import { playAll } from "../support/scenario.ts";
import { ORCHESTRATE_TROUBLE } from "./orchestrate-trouble.ts";

playAll(ORCHESTRATE_TROUBLE);
