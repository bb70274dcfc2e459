/** Prints the Debian packages that some tests need and this machine lacks, one a line. */
import { listMissingPackages } from "./left-out.mjs";

for (const name of listMissingPackages()) console.log(name);
