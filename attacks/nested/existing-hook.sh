# A hook is planted in a nested repository.
# expect: STOP_UNSAFE_PATH
# kind: nested
# driver: kernel
set -e
mkdir -p vendored/.git/hooks
echo x >vendored/.git/hooks/pre-commit
