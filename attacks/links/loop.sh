# A link to itself.
# expect: STOP_UNSAFE_PATH, SUCCESS
# kind: plain
set -e
ln -s loop src/loop
