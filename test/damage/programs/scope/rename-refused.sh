# A rename makes a new file too.
# expect: STOP_SCOPE_VIOLATION_NEW_FILE
# allow-new-files: no
set -e
mv src/main.ts src/renamed.ts
