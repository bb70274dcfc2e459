import { playAll } from "../support/scenario.ts";
import { FILTERS } from "./filters.ts";

playAll(FILTERS);
