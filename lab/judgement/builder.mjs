/** The builder of every case: writes the change of the named document into the folder in which it is started. */
import { writeFileSync } from "node:fs";
import { applyChange } from "./apply-change.mjs";

const [file = ""] = process.argv.slice(2);
applyChange(file, process.cwd());
const result = { summary: "It is done.", files_intended: [], commands_ran: [], notes: [] };
writeFileSync(process.env.RELAIS_RESULT_PATH, JSON.stringify(result));
