# Every packed ref is lost.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
rm .git/packed-refs
