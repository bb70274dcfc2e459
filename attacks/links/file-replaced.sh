# A tracked file becomes a link to a secret.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
rm README.md
ln -s .env README.md
