# Writes the key of a cloud into the code. It is put together here, so that this file holds none.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
# cause: credential
# finding: src/main.ts
printf 'export const answer = 42;\nconst key = "AKIA%s";\n' QX7PLMZ2KD5TRW4N > src/main.ts
