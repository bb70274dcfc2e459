# Deletes an ignored file of the person where ignored files are protected.
# expect: STOP_IGNORED_MUTATION
# finding: debug.log
# config: {"ignored": "forbid"}
echo 'export const answer = 42;' > src/main.ts
rm debug.log
