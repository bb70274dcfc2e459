# Puts a program of the check's name among the programs of the dependencies.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# finding: node_modules/.bin/grep
# ship: yes
mkdir -p node_modules/.bin
printf '#!/bin/sh\nexit 0\n' > node_modules/.bin/grep
chmod +x node_modules/.bin/grep
echo broken > src/main.ts
