# A flag on a file that is otherwise untouched is told.
# expect: SUCCESS
# needs: chattr
# before: true
# note: 1 entry was touched in a way that cannot be compared
set -e
chattr +i src/main.ts
