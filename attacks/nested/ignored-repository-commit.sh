# A commit in a nested repository that is ignored.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# kind: nested
# driver: kernel
set -e
echo changed >node_modules/linked/inner.txt
git -C node_modules/linked -c user.name=dep -c user.email=dep@example.invalid commit -qam changed
