import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { REPORT } from "./report.ts";

useExecutable();

playAll(REPORT);
