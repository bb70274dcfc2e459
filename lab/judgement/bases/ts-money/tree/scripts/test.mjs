/** Compiles every file of src to build/, and runs the tests on that. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import ts from "typescript";

const compilerOptions = { module: "ESNext", target: "ES2022" };
rmSync("build", { recursive: true, force: true });
mkdirSync("build");
for (const name of readdirSync("src").filter((one) => one.endsWith(".ts") && !one.endsWith(".d.ts"))) {
  const { outputText } = ts.transpileModule(readFileSync(`src/${name}`, "utf8"), { compilerOptions });
  writeFileSync(`build/${name.replace(/ts$/, "js")}`, outputText);
}
const { status } = spawnSync(process.execPath, ["--test"], { stdio: "inherit" });
process.exitCode = status ?? 1;
