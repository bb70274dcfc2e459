# A repository inside the scope hides its content from the outer one.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
git init -q src/inner
echo x >src/inner/file.ts
git -C src/inner add -A
git -C src/inner -c user.name=dep -c user.email=dep@example.invalid commit -qm inner
