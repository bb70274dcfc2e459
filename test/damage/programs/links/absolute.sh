# A link to a file of the system.
# expect: STOP_UNSAFE_PATH
set -e
ln -s /etc/passwd src/accounts
