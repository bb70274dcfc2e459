# A commit after the program has ended.
# expect: STOP_HEAD_MOVED
# kind: plain
# driver: kernel
set -e
echo "// edit" >>src/main.ts
(sleep 0.3; git commit -qam late) >/dev/null 2>&1 &
