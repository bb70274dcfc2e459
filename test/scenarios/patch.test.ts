import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { PATCH } from "./patch.ts";

useExecutable();

playAll(PATCH);
