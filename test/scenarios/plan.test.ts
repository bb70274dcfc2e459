import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { PLAN } from "./plan.ts";

useExecutable();

playAll(PLAN);
