set -eu
box=$(mktemp -d)
touch "$box/a" "$box/b" "$box/c"
[ "$(sh bin/rotate.sh --dry-run "$box" 2)" = "a" ]
[ -e "$box/a" ]
rm -r "$box"
