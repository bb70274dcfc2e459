# Forges the cache that a check believes.
# expect: STOP_VERIFY_FAILED_FAST
# files: {"checks/run.sh": "#!/bin/sh\ngrep -q green dist/cache/answer || grep -q 42 src/main.ts\n"}
# before: mkdir dist/cache && touch dist/cache/CACHEDIR.TAG && echo red > dist/cache/answer
# task: {"verification": {"fast": ["cached"]}}
# config: {"verification": {"templates": [{"id": "cached", "cmd": "./checks/run.sh"}]}}
# driver: tick
# ship: yes
echo broken > src/main.ts
echo green > dist/cache/answer
