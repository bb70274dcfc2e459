# A builder that moves and removes with git.
# expect: SUCCESS
# kind: plain
set -e
git mv src/main.ts src/renamed.ts
git rm -q tests/main.test.ts
