set -eu
. lib/names.sh
[ "$(stem /var/log/app.log)" = "app" ]
