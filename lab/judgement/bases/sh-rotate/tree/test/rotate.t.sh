set -eu
box=$(mktemp -d)
touch "$box/a" "$box/b" "$box/c"
sh bin/rotate.sh "$box" 2
[ "$(ls "$box" | tr '\n' ' ')" = "b c " ]
rm -r "$box"
