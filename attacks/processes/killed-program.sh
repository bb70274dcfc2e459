# A program that is killed and leaves its lock behind.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
# fails: yes
# driver: kernel
set -e
echo "// edit" >>src/main.ts
: >.git/index.lock
kill -9 $$
