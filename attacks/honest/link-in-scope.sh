# New links that stay in scope.
# expect: SUCCESS
# kind: plain
set -e
ln -s lib src/shortcut
ln -s ../README.md src/README.md
