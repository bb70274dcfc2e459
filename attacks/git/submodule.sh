# Adds a submodule.
# expect: STOP_GIT_METADATA_MUTATION
# task: {"scope": {"allowed_globs": ["**"]}}
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git -c protocol.file.allow=always submodule --quiet add -b work ../origin.git src/module
