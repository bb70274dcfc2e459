# A link to a secret.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
ln -s ../.env src/settings
