# A link to a file of the system.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
ln -s /etc/passwd src/accounts
