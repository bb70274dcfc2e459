# A new file where none are allowed.
# expect: STOP_SCOPE_VIOLATION_NEW_FILE
# kind: plain
# task: {"scope": {"allow_new_files": false}}
set -e
echo x >src/new.ts
