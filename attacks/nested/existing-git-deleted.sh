# A nested repository loses its history.
# expect: STOP_UNSAFE_PATH
# kind: nested
set -e
rm -rf vendored/.git
