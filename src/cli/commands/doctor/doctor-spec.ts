import { defineCommand } from "../../framework/command.ts";

export const doctorSpec = defineCommand({
  name: "doctor",
  summary: "Check that everything a tick needs is in place",
  usage: [""],
  description: [
    "Looks at git, node, the repository, the configuration, the workspace, the state of earlier",
    "ticks and the programs that would be started. Each line says ok, warn or fail, and what is",
    "not ok comes with its fix. Exit status 0: nothing fails; 11: something does.",
  ],
  positionals: { max: 0, help: [] },
  options: {},
  examples: [
    { line: "relais doctor", explains: "everything, for a person" },
    { line: "relais doctor -q", explains: "only what is not in order" },
    { line: "relais doctor --json", explains: "for a script" },
  ],
  load: async () => (await import("./doctor-command.ts")).run,
});
