import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { BUILD } from "./build.ts";

useExecutable();

playAll(BUILD);
