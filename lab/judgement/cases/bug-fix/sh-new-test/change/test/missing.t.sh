set -u
message=$(sh bin/rotate.sh /no/such/folder 1 2>&1)
status=$?
case "$message" in *no/such/folder*) ;; *) exit 1 ;; esac
[ "$status" = 1 ]
