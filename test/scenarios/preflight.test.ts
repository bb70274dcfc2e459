import { playAll } from "../support/scenario.ts";
import { PREFLIGHT } from "./preflight.ts";

playAll(PREFLIGHT);
