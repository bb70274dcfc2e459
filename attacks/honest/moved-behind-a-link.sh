# Renames in scope.
# expect: SUCCESS
# kind: plain
set -e
mv src/main.ts src/index.ts
mkdir src/deep
mv src/lib/util.ts src/deep/util.ts
ln -sfn deep/util.ts src/current
