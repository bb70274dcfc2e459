# Moves the whole repository elsewhere and leaves another one in its place.
# expect: STOP_HEAD_MOVED
# outside: ./place/moved
# next: SUCCESS
# ship: yes
here=$PWD
mv "$here" "$HOSTILE/place/moved"
git init -q "$here"
