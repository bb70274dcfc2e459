# Every later git status would run this program; observing must not.
# expect: STOP_GIT_METADATA_MUTATION
set -e
printf '#!/bin/sh\ntouch "%s"\n' "$MARK" >dist/monitor
chmod +x dist/monitor
git config core.fsmonitor "$PWD/dist/monitor"
