# A nested repository loses its history.
# expect: STOP_UNSAFE_PATH
# repository: nested
set -e
rm -rf vendored/.git
