# A closed folder where nobody reaches it in one step.
# expect: STOP_UNSAFE_PATH
# kind: plain
# needs: linux
set -e
cd src
part=$(printf "%0200d" 0)
for n in $(seq 1 25); do
  mkdir "$part"
  cd -P "./$part"
done
mkdir closed
touch closed/file.ts
chmod 0 closed
