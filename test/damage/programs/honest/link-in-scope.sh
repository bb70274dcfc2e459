# New links that stay in scope.
# expect: SUCCESS
set -e
ln -s lib src/shortcut
ln -s ../README.md src/README.md
