# A path that is too long to be named in one call.
# expect: STOP_UNSAFE_PATH
# kind: plain
# needs: linux
set -e
part=$(printf "%0200d" 0)
cd src
for n in $(seq 1 25); do
  mkdir "$part"
  cd -P "./$part"
done
touch file.ts
