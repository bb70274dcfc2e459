/**
 * The same arbitrary inputs in every run, so that a change is judged by what it changed and not by chance.
 * `npm run test:fuzz` looks for new ones.
 */
import fc from "fast-check";

const SEED = 20_260_115;

if (process.env["RELAIS_FUZZ"] === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
