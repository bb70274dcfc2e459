import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { VERIFY } from "./verify.ts";

useExecutable();

playAll(VERIFY);
