# A pipe whose name is not text is gone.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# needs: linux
# before: mkfifo "$(printf 'docs/pipe\377')"
set -e
rm docs/pipe*
