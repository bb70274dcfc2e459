# A repository within the build output is build output.
# expect: SUCCESS
# kind: nested
# driver: kernel
set -e
echo changed >dist/tool/inner.txt
git -C dist/tool -c user.name=dep -c user.email=dep@example.invalid commit -qam changed
