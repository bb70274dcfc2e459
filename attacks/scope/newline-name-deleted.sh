# A file whose existing name has two lines is deleted.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: plain
set -e
rm "$(printf 'docs/line\nbreak.txt')"
