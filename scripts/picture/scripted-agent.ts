/**
 * The agent of the picture: it prints what Claude Code prints and edits what a script says, chosen by the words of its
 * prompt. Everything else that is seen is relais itself.
 */
interface AgentStep {
  /** Words of the task that it belongs to. */
  readonly when: string;
  readonly says: string;
  readonly writes: Readonly<Record<string, string>>;
  readonly costUsd: number;
}

export function scriptedAgent(node: string, steps: readonly AgentStep[]): string {
  return `#!${node}
const { readFileSync, writeFileSync } = require("node:fs");
const [first] = process.argv.slice(2);
if (first === "--version") console.log("2.1.325 (Claude Code)");
else if (first === "auth") console.log(JSON.stringify({ loggedIn: true, authMethod: "oauth" }));
else void work();

async function work() {
  const prompt = readFileSync(0, "utf8");
  const { says, writes, costUsd } = ${JSON.stringify(steps)}.find(({ when }) => prompt.includes(when));
  const print = (line) => console.log(JSON.stringify({ session_id: "s", ...line }));
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const say = (content) => print({ type: "assistant", message: { id: "m", role: "assistant", content: [content] } });
  const answer = (id) =>
    print({ type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] } });
  print({ type: "system", subtype: "init", cwd: process.cwd(), model: "claude-sonnet-4-5", tools: ["Edit", "Read"] });
  say({ type: "text", text: "I read the till first." });
  say({ type: "tool_use", id: "t0", name: "Read", input: { file_path: "src/till.mjs" } });
  await pause(1200);
  answer("t0");
  for (const [path, text] of Object.entries(writes)) {
    say({ type: "tool_use", id: path, name: "Edit", input: { file_path: path } });
    writeFileSync(path, text);
    await pause(700);
    answer(path);
  }
  const result = JSON.stringify({ summary: says, files_intended: Object.keys(writes), commands_ran: [], notes: [] });
  const modelUsage = { "claude-sonnet-4-5": { inputTokens: 14200, outputTokens: 860, costUSD: costUsd } };
  const end = { type: "result", subtype: "success", is_error: false, result, num_turns: 4 };
  print({ ...end, total_cost_usd: costUsd, modelUsage });
}
`;
}
