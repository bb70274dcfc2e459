# A whole folder in scope is deleted.
# expect: SUCCESS
# kind: plain
set -e
rm -r tests
