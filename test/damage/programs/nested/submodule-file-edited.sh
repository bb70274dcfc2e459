# A file of a submodule.
# expect: STOP_UNSAFE_PATH
# repository: submodule
set -e
echo changed >libs/dep/lib.c
