/** The programs that play the agents of a recorded history. Each finds its own folder in `$box`. */

/** Proposes the next task of a list, the last one again and again. */
export const ORCHESTRATOR = `box=$(dirname "$0")
n=$(( $(cat "$box/asked" 2>/dev/null || echo 0) + 1 )); echo "$n" > "$box/asked"
plan="$box/plans/$n.json"; [ -e "$plan" ] || plan="$box/plans/last.json"
cat "$plan" > "$RELAIS_RESULT_PATH"
`;

/** A worker that writes one line in each turn, and reviewers who approve from the second turn on. */
export const GOAL_AGENT = `box=$(dirname "$0")
if [ "$RELAIS_ROLE" = builder ]; then
  n=$(( $(cat "$box/turn" 2>/dev/null || echo 0) + 1 )); echo "$n" > "$box/turn"
  echo "line $n" >> src/main.ts
  printf '{"receipt":"Wrote line %s."}' "$n" > "$RELAIS_RESULT_PATH"
  exit 0
fi
decision=complete; gaps='[]'
if [ "$(cat "$box/turn")" = 1 ]; then decision=continue; gaps='["Line 2 is missing."]'; fi
printf '{"decision":"%s","evidence":["file: src/main.ts"],"gaps":%s,"blocker":null,"blocker_id":null,"confidence_score":0.8,"explanation":"Looked."}' "$decision" "$gaps" > "$RELAIS_RESULT_PATH"
`;

/** Fails the guard in its first turn and passes it in the second. */
export const TREE_AGENT = `box=$(dirname "$0")
n=$(( $(cat "$box/asked" 2>/dev/null || echo 0) + 1 )); echo "$n" > "$box/asked"
if [ "$n" = 1 ]; then echo wrong > src/main.ts; else echo right > src/main.ts; fi
printf '{"status": "done", "summary": "turn %s"}' "$n" > "$RELAIS_RESULT_PATH"
`;

/** A worker that claims its story, and a verifier that sends the first one back once. */
export const CAMPAIGN_AGENT = `box=$(dirname "$0")
address=$(grep -o '"slug":"[^}]*"nonce":"[^"]*"' "$RELAIS_PROMPT_PATH" | tail -1)
if [ "$RELAIS_ROLE" = builder ]; then
  n=$(( $(cat "$box/turn" 2>/dev/null || echo 0) + 1 )); echo "$n" > "$box/turn"
  echo "line $n" >> src/main.ts
  echo "After session $n" >> "$RELAIS_DROP/context-latest.md"
  changes=''; if [ "$n" = 2 ]; then changes='{"path":"src/main.ts","issue":1}'; fi
  printf '{"kind":"claim",%s,"criteria":[],"changes":[%s]}' "$address" "$changes" > "$RELAIS_DROP/done-claim.json"
  printf '{"kind":"signal",%s,"status":"verify","summary":"Done."}' "$address" > "$RELAIS_RESULT_PATH"
  exit 0
fi
verdict=pass; issues=''
if [ "$(cat "$box/turn")" = 1 ]; then
  verdict=fail
  issues='{"criterion":"US-001 AC1","severity":"major","description":"It is wrong.","fix_hint":"Turn it round."}'
fi
printf '{"kind":"verdict",%s,"verdict":"%s","summary":"Looked.","evidence":["file: src/main.ts"],"issues":[%s],"questions":[],"blocker":null}' "$address" "$verdict" "$issues" > "$RELAIS_RESULT_PATH"
`;

/** Says that it is at work, changes a file, and does not end while its mark is there. */
export const ENDLESS_BUILDER = `box=$(dirname "$0")
echo "export const answer = 0;" > src/main.ts
echo there > "$box/at-work"
while [ -e "$box/at-work" ]; do sleep 0.1; done
`;
