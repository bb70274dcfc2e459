# Does the same where the person's search path has relative folders.
# expect: STOP_VERIFY_FAILED_FAST
# cause: exit_1
# env: {"PATH": ".:src::$PATH"}
# driver: tick
# ship: yes
printf '#!/bin/sh\nexit 0\n' > src/grep
chmod +x src/grep
echo broken > src/main.ts
