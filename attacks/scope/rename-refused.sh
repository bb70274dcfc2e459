# A rename makes a new file too.
# expect: STOP_SCOPE_VIOLATION_NEW_FILE
# kind: plain
# task: {"scope": {"allow_new_files": false}}
set -e
mv src/main.ts src/renamed.ts
