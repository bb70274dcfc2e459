# Tells git to overlook a file, and then edits that file outside its scope.
# expect: STOP_GIT_METADATA_MUTATION
# finding: README.md
# ship: yes
git update-index --assume-unchanged README.md
echo evil >> README.md
echo 'export const answer = 42;' > src/main.ts
