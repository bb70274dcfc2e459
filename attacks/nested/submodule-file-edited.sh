# A file of a submodule.
# expect: STOP_UNSAFE_PATH
# kind: submodule
set -e
echo changed >libs/dep/lib.c
