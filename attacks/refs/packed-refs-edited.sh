# A packed ref is moved with an editor.
# expect: STOP_GIT_METADATA_MUTATION
# kind: plain
set -e
topic=$(git rev-parse topic)
sed "s/^[0-9a-f]* refs\/heads\/side\$/$topic refs\/heads\/side/" .git/packed-refs >.git/packed-refs.new
mv .git/packed-refs.new .git/packed-refs
