# Has the code under test plant a hook when the check runs, in a tick that commits.
# expect: STOP_VERIFY_SIDE_EFFECTS
# task: {"verification": {"fast": ["under-test"]}}
# config: {"git": {"commit": "always", "hooks": "run"}}
# driver: tick
# ship: yes
cat > src/run.sh <<'END'
mkdir -p .git/hooks
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > .git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
END
