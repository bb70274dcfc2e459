# Leaves the output of a build and the cache of a tool in ignored folders; the cache is emptied before the checks.
# expect: SUCCESS
# changed: dist/app.js: content; dist/maps: appeared (directory 0755); dist/maps/app.map: appeared (file 0644); src/main.ts: content
# ship: yes
umask 022
echo 'export const answer = 42;' > src/main.ts
echo new > dist/app.js
mkdir dist/maps
echo map > dist/maps/app.map
mkdir node_modules/.cache
echo cached > node_modules/.cache/tool
