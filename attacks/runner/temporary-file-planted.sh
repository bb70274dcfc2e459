# A link waits where a temporary file will be written.
# expect: STOP_RUNNER_OWNED_MUTATION
# kind: plain
# driver: kernel
set -e
mkdir relais/.tmp
ln -s ../STATE.json relais/.tmp/REPORT.json.tmp
