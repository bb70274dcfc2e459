# Lets git look for objects in a folder of its own.
# expect: STOP_GIT_METADATA_MUTATION
# finding: alternates
# ship: yes
mkdir -p "$HOSTILE/tmp/objects"
mkdir -p .git/objects/info
echo "$HOSTILE/tmp/objects" > .git/objects/info/alternates
echo 'export const answer = 42;' > src/main.ts
rmdir "$HOSTILE/tmp/objects"
