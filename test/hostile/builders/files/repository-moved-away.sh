# Moves the whole repository elsewhere and leaves another one in its place.
# expect: STOP_HEAD_MOVED
# outside: ./place/moved
# next: SUCCESS
mv "$PWD" "$HOSTILE/place/moved"
git init -q "$HOSTILE/place/repo"
