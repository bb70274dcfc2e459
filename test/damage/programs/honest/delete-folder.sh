# A whole folder in scope is deleted.
# expect: SUCCESS
set -e
rm -r tests
