/** One program plays every agent of the soak: it works, lies, fails and runs out of quota by its own count. */
export const SOAK_AGENT = `box=$(dirname "$0")
workflow=$(cat "$box/workflow")
count() { n=$(( $(cat "$box/$1" 2>/dev/null || echo 0) + 1 )); echo "$n" > "$box/$1"; }
say() { printf '%s' "$1" > "$RELAIS_RESULT_PATH"; }

if [ "$RELAIS_ROLE" = orchestrator ]; then
  count planned
  sed "s/T-1/T-$n/; s/constant/constant $n/g" "$box/task.json" > "$RELAIS_RESULT_PATH"
  exit 0
fi

if [ "$RELAIS_ROLE" = builder ]; then
  if [ "$RELAIS_MODEL" != spare ]; then
    count "built-$workflow"
    # Out of quota: the other agent goes on. Now and then that one is, too, and everybody waits for a moment.
    if [ $((n % 11)) = 7 ]; then exit 75; fi
  else
    n=$(cat "$box/built-$workflow")
    if [ $((n % 143)) = 18 ]; then echo "retry-at: $(date -u -d '+1 second' +%Y-%m-%dT%H:%M:%SZ)" >&2; exit 75; fi
  fi
  echo "export const $workflow$n = $n;" > "src/$workflow.ts"
  if [ $((n % 13)) = 5 ]; then echo wrong >> "src/$workflow.ts"; fi
  if [ $((n % 17)) = 9 ]; then sleep 300 & fi
  case "$workflow" in
    loop) say '{"summary":"Done.","files_intended":[],"commands_ran":[],"notes":[]}' ;;
    goal) say '{"receipt":"Wrote one more line."}' ;;
    tree) say '{"status":"done","summary":"Done."}' ;;
    campaign)
      address=$(grep -o '"slug":"[^}]*"nonce":"[^"]*"' "$RELAIS_PROMPT_PATH" | tail -1)
      echo "After session $n" >> "$RELAIS_DROP/context-latest.md"
      # What was red before is a fix now, and a fix names its issue.
      changes=''; if [ $((n % 13)) = 6 ]; then changes='{"path":"src/campaign.ts","issue":1}'; fi
      printf '{"kind":"claim",%s,"criteria":[],"changes":[%s]}' "$address" "$changes" > "$RELAIS_DROP/done-claim.json"
      say "{\\"kind\\":\\"signal\\",$address,\\"status\\":\\"verify\\",\\"summary\\":\\"Done.\\"}" ;;
  esac
  exit 0
fi

if [ "$workflow" = campaign ]; then
  address=$(grep -o '"slug":"[^}]*"nonce":"[^"]*"' "$RELAIS_PROMPT_PATH" | tail -1)
  say "{\\"kind\\":\\"verdict\\",$address,\\"verdict\\":\\"pass\\",\\"summary\\":\\"Looked.\\",\\"evidence\\":[\\"file: src/campaign.ts\\"],\\"issues\\":[],\\"questions\\":[],\\"blocker\\":null}"
else
  say '{"decision":"continue","evidence":["file: src/goal.ts"],"gaps":["One more line is missing."],"blocker":null,"blocker_id":null,"confidence_score":0.8,"explanation":"Looked."}'
fi
`;
