# Edits an ignored file where that is to be reported.
# expect: SUCCESS
# config: {"ignored": "report"}
# note: debug.log
# changed: debug.log: content; src/main.ts: content
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo more >> debug.log
