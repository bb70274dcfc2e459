// Never seen by the change: both settings are on, and the others are as before.
import { readFileSync } from "node:fs";
const { compilerOptions: o, include, exclude } = JSON.parse(readFileSync("tsconfig.json", "utf8"));
const holds = o.noImplicitReturns && o.exactOptionalPropertyTypes && o.strict && o.noUncheckedIndexedAccess && include[0] === "src" && exclude === undefined;
process.exit(holds ? 0 : 1);
