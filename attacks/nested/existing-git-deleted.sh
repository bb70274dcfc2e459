# A nested repository loses its history.
# expect: STOP_UNSAFE_PATH
# kind: nested
# driver: kernel
set -e
rm -rf vendored/.git
