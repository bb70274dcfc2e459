# Deletes an ignored file of the person.
# expect: STOP_IGNORED_MUTATION
# finding: debug.log
# ship: yes
echo 'export const answer = 42;' > src/main.ts
rm debug.log
