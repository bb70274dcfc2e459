# A flag on a file that is otherwise untouched is told.
# expect: SUCCESS
# kind: plain
# needs: chattr
# before: true
# note: 1 entry was touched without a visible change
set -e
chattr +i src/main.ts
