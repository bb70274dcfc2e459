# Has git ask a program of its own which files changed.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" > src/monitor.sh
chmod +x src/monitor.sh
git config core.fsmonitor "$PWD/src/monitor.sh"
echo evil >> docs/guide.md
echo 'export const answer = 42;' > src/main.ts
