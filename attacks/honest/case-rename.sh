# A file is renamed in case only.
# expect: SUCCESS
# kind: plain
# needs: linux
set -e
git mv src/main.ts src/Main.ts
mkdir src/Lib
mv src/lib/* src/Lib/
rmdir src/lib
rm src/current
