# A new script, and an old file that can now be run.
# expect: SUCCESS
set -e
printf "#!/bin/sh\n" >src/tool.sh
chmod +x src/tool.sh tests/main.test.ts
