# Configures programs in the store of relais, for the next git that relais runs there.
# expect: STOP_RUNNER_OWNED_MUTATION
# cause: store_changed
# next: SUCCESS
# driver: tick
# ship: yes
for store in "$HOSTILE"/state/relais/*/judge.git; do
  mkdir -p "$store/hooks" "$store/info"
  printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > "$store/hooks/reference-transaction"
  chmod +x "$store/hooks/reference-transaction"
  echo '* filter=evil diff=evil' > "$store/info/attributes"
  cat >> "$store/config" <<END
[core]
	fsmonitor = touch $MARK
	hooksPath = $store/hooks
	pager = touch $MARK
	alternateRefsCommand = touch $MARK
[diff]
	external = touch $MARK
[diff "evil"]
	textconv = "touch $MARK; cat"
	command = touch $MARK
[filter "evil"]
	clean = "touch $MARK; cat"
	required = true
[alias]
	cat-file = !touch $MARK
END
done
echo 'export const answer = 42;' > src/main.ts
