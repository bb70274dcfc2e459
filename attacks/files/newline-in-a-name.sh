# Gives a file a name of two lines.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
echo x > "src/one
two.ts"
