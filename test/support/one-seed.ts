/** Every property takes its inputs from the one seed, wherever there is one. */
import fc from "fast-check";
import { SEED } from "./runs.ts";

if (SEED !== null) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
