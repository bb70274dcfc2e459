#!/bin/sh
# Joins the queue of the mounted invitation, takes one job, and ends with the status of the worker.
set -eu
# Mounted secrets can be read by all users of the container, and relais refuses such a file.
copy=$(mktemp)
cat "${RELAIS_INVITATION:-/run/secrets/relais-invitation}" > "$copy"
relais queue join "$copy" --quiet
rm -f "$copy"
exec relais worker --once "$@"
