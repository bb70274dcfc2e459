/**
 * A world in which campaigns are run: one program plays workers and verifiers, and notes every session that anybody
 * would have to pay for.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CampaignContract } from "../../src/records/campaign.ts";
import type { CampaignStatus, CampaignSummary } from "../../src/records/campaign-files.ts";
import { CONTRACT } from "./campaign-contract.ts";
import type { Ran } from "./relais.ts";
import { inWorld } from "./scenario.ts";
import type { World } from "./scenario-world.ts";

interface CampaignParts {
  /** What the worker does in iteration `$turn`; by default it writes a line and claims. */
  readonly worker?: string;
  /** What the verifier does about `$story` after worker `$turn`; by default everything passes. */
  readonly verifier?: string;
  readonly config?: object;
  readonly contract?: Partial<CampaignContract>;
}

const WORK = 'echo "line $turn" >> src/main.ts; note; claim; signal verify';

/** `signal`, `claim` and `verdict` take the address out of the prompt, as a session has to. */
export const campaignAgent = ({ worker = WORK, verifier = "verdict pass" }: CampaignParts) => `
box=$(dirname "$0")
address=$(grep -o '"slug":"[^}]*"nonce":"[^"]*"' "$RELAIS_PROMPT_PATH" | tail -1)
story=$(printf '%s' "$address" | sed 's/.*"story":"\\([^"]*\\)".*/\\1/')
note() { echo "After session $turn" >> "$RELAIS_DROP/context-latest.md"; }
signal() { printf '{"kind":"signal",%s,"status":"%s","summary":"%s"}' "$address" "$1" "\${2:-Done.}" > "$RELAIS_RESULT_PATH"; }
claim() { printf '{"kind":"claim",%s,"criteria":[],"changes":[%s]}' "$address" "$1" > "$RELAIS_DROP/done-claim.json"; }
issue() { printf '{"criterion":"%s","severity":"%s","description":"It is wrong.","fix_hint":"Turn it round."}' "$1" "\${2:-major}"; }
verdict() { # verdict, issues, questions, blocker
  printf '{"kind":"verdict",%s,"verdict":"%s","summary":"Looked.","evidence":["file: src/main.ts"],"issues":[%s],"questions":[%s],"blocker":%s}' \\
    "$address" "$1" "$2" "$3" "\${4:-null}" > "$RELAIS_RESULT_PATH"
}
if [ "$RELAIS_ROLE" = builder ]; then
  turn=$(($(grep -c worker "$box/sessions" 2>/dev/null) + 1))
  echo "worker $story $RELAIS_MODEL" >> "$box/sessions"
  cp "$RELAIS_PROMPT_PATH" "$box/prompt-worker-$turn"
  ${worker}
  exit 0
fi
turn=$(grep -c worker "$box/sessions")
look=$(($(grep -c verifier "$box/sessions") + 1))
echo "$RELAIS_REVIEWER $story $RELAIS_MODEL" | sed 's/^/verifier:/' >> "$box/sessions"
cp "$RELAIS_PROMPT_PATH" "$box/prompt-verifier-$look"
${verifier}
`;

export interface CampaignWorld {
  readonly world: World;
  /** Runs `relais campaign` with these arguments and `--json`. */
  readonly campaign: (...args: readonly string[]) => Promise<Ran & { readonly summary: CampaignSummary }>;
  readonly status: () => CampaignStatus;
  /** Every session with its story and its model, in the order in which they began. */
  readonly sessions: () => readonly string[];
  readonly prompt: (who: string) => string;
  /** A file of the campaign; null where it is not there. */
  readonly file: (name: string) => string | null;
}

const QUICK = { poll_interval_seconds: 0.01 };

/** Does something in a world with a campaign that was agreed on. */
export function inCampaignWorld(
  { config, contract, ...parts }: CampaignParts,
  work: (campaigns: CampaignWorld) => Promise<void>,
): Promise<void> {
  const whole = { campaign: QUICK, ...config };
  return inWorld({ checksRecords: true, program: campaignAgent(parts), config: whole }, async (world) => {
    const noted = join(world.box, "sessions");
    const file = (name: string): string | null => {
      const path = `relais/campaigns/lines/${name}`;
      return world.has(path) ? world.read(path) : null;
    };
    world.put({ "../contract.json": JSON.stringify({ ...CONTRACT, ...contract }) });
    await world.relais(["campaign", "brainstorm", "--from", "../contract.json", "--yes"]);
    await work({
      world,
      campaign: async (...args) => {
        const ran = await world.relais(["campaign", ...args, "--json"]);
        return { ...ran, summary: JSON.parse(ran.stdout.trim().split("\n").at(-1) || "{}") };
      },
      status: () => JSON.parse(file("status.json") ?? "{}"),
      sessions: () => (existsSync(noted) ? readFileSync(noted, "utf8").trim().split("\n") : []),
      prompt: (who) => readFileSync(join(world.box, `prompt-${who}`), "utf8"),
      file,
    });
  });
}
