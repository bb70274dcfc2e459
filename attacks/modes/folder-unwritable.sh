# A folder in which nothing can be put back at first.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
echo new >docs/new.md
rm docs/guide.md
chmod 0555 docs
