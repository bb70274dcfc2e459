import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { SETTLE } from "./settle.ts";

useExecutable();

playAll(SETTLE);
