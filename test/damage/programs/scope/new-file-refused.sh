# A new file where none are allowed.
# expect: STOP_SCOPE_VIOLATION_NEW_FILE
# allow-new-files: no
set -e
echo x >src/new.ts
