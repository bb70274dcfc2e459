# A commit in a repository that was there before.
# expect: STOP_UNSAFE_PATH
# kind: nested
# driver: kernel
set -e
echo changed >vendored/inner.txt
git -C vendored -c user.name=dep -c user.email=dep@example.invalid commit -qam changed
