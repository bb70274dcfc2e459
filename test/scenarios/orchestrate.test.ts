import { playAll } from "../support/scenario.ts";
import { ORCHESTRATE } from "./orchestrate.ts";

playAll(ORCHESTRATE);
