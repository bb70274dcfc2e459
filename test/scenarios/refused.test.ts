import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { REFUSED } from "./refused.ts";

useExecutable();

playAll(REFUSED);
