# Files are rewritten with what they held.
# expect: SUCCESS
# kind: plain
set -e
cp docs/guide.md dist/copy
cp dist/copy docs/guide.md
rm dist/copy
cp README.md README.new
mv README.new README.md
