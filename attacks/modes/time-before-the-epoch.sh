# A file from before 1970 is replaced.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
# before: touch -d 1960-01-02T03:04:05Z docs/guide.md
# afterwards: test "$(stat -c %Y docs/guide.md)" = -315521755
# needs: linux
set -e
rm docs/guide.md
echo changed >docs/guide.md
