# Packs the refs and then makes a branch point somewhere else in the packed file.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
git pack-refs --all
sed -i "s/^[0-9a-f]* refs\/heads\/other/$(git rev-parse HEAD) refs\/heads\/other/" .git/packed-refs
echo 'export const answer = 42;' > src/main.ts
