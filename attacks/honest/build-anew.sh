# A build writes what is ignored and may be written.
# expect: SUCCESS
# kind: plain
set -e
rm -r dist
mkdir -p dist/assets src/app/dist
echo built >dist/assets/app.js
echo built >src/app/dist/index.js
