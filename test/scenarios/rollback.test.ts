import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { ROLLBACK } from "./rollback.ts";

useExecutable();

playAll(ROLLBACK);
