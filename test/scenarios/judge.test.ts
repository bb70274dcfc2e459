import { playAll } from "../support/scenario.ts";
import { useExecutable } from "../support/relais.ts";
import { JUDGE } from "./judge.ts";

useExecutable();

playAll(JUDGE);
