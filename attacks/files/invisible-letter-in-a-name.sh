# Makes a file whose name looks like that of another, with an invisible letter in it.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
printf 'export const other = 2;\n' > "src/$(printf 'oth\342\200\213er.ts')"
