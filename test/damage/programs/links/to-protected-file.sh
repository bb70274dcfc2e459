# A link to a secret.
# expect: STOP_UNSAFE_PATH
set -e
ln -s ../.env src/settings
