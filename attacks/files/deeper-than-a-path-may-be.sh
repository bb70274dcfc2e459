# Makes folders within folders until no path can name the last.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
name=$(printf '%0200d' 0)
(cd src && for n in $(seq 1 30); do mkdir $name && cd $name || exit 0; done; echo x > file)
