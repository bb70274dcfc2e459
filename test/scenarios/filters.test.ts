import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { FILTERS } from "./filters.ts";

useExecutable();

playAll(FILTERS);
