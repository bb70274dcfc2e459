# Things are moved and moved back.
# expect: SUCCESS
# kind: plain
set -e
mv docs elsewhere
mv elsewhere docs
mv .env saved
mv saved .env
