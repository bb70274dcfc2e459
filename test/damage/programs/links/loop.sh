# A link to itself.
# expect: STOP_UNSAFE_PATH, SUCCESS
set -e
ln -s loop src/loop
