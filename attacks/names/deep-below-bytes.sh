# A path that is too long to be named, below a name that is not text.
# expect: STOP_UNSAFE_PATH
# kind: plain
# needs: linux
set -e
name=$(printf 'src/bad\377')
mkdir "$name"
cd "$name"
part=$(printf "%0200d" 0)
for n in $(seq 1 25); do
  mkdir "$part"
  cd -P "./$part"
done
touch file.ts
