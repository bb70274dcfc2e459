set -eu
box=$(mktemp -d)
printf 'error\nfine\nan error\n' > "$box/log"
[ "$(sh bin/errors.sh "$box/log")" = 2 ]
printf 'fine\n' > "$box/log"
[ "$(sh bin/errors.sh "$box/log")" = 0 ]
rm -r "$box"
