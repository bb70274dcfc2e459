# Makes the checkout sparse, so that files vanish which git does not miss.
# expect: STOP_GIT_METADATA_MUTATION
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git sparse-checkout set --no-cone '/src/' 2> /dev/null
