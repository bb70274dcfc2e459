# A path of more than a thousand bytes.
# expect: STOP_UNSAFE_PATH
# kind: plain
set -e
part=$(printf "%0100d" 0)
directory=src
for n in 1 2 3 4 5 6 7 8 9 10 11; do directory="$directory/$part"; done
mkdir -p "$directory"
touch "$directory/file.ts"
