# Makes folders within folders up to the longest path that the system takes.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
cd src
name=$(printf '%0200d' 0)
while [ ${#PWD} -lt 3880 ]; do mkdir $name && cd $name; done
mkdir "$(printf "%0$((4089 - ${#PWD}))d" 0)"
