# A path in git's folder that is too long to be named, closed at its end.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
# needs: linux
# driver: kernel
set -e
cd .git/objects
part=$(printf "%0200d" 0)
for n in $(seq 1 25); do
  mkdir "$part"
  cd -P "./$part"
done
mkdir closed
touch closed/file
chmod 0 closed
