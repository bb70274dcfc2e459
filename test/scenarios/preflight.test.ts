import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { PREFLIGHT } from "./preflight.ts";

useExecutable();

playAll(PREFLIGHT);
