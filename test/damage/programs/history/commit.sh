# The builder commits its own work.
# expect: STOP_HEAD_MOVED
set -e
echo "export const x = 1;" >>src/main.ts
git commit -qam "done"
